import { CancellationScope, condition, isCancellation, patched } from '@temporalio/workflow';
import type { ChildOrder, ToolStepDone } from '../../activities/index.ts';
import { calls } from './calls.ts';
import type { Job, Told } from './job.ts';

// The end of a child is signalled; this finds one whose signal was lost. The waits grow, so that a day of many children is a short history.
const FIRST_LOOK_MS = 60_000;
const LOOK_GROWTH = 3;

/**
 * Starts the run of another agent and waits for its end. When this run is cancelled, the other one is cancelled first: a run has no open
 * children when it is settled.
 */
export async function callAgent(
  order: ChildOrder,
  { answers, view }: Pick<Job, 'answers' | 'view'>,
): Promise<ToolStepDone> {
  const started = await startWhole(order);
  if (started.childId === undefined) return started;
  view.called(started.childId);
  try {
    return await endOfChild(order, started.childId, answers);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return CancellationScope.nonCancellable(async () => {
      await calls.cancelChild(order);
      return { ...(await endOfChild(order, started.childId, answers)), outcome: 'stopped' };
    });
  }
}

/** A child that is being created is not left behind by a cancellation: it is waited for, and then cancelled. */
function startWhole(order: ChildOrder): ReturnType<typeof calls.startChild> {
  const isWhole = patched('startsChildWhole') && !CancellationScope.current().consideredCancelled;
  const start = () => calls.startChild(order);
  return isWhole ? CancellationScope.nonCancellable(start) : start();
}

async function endOfChild(order: ChildOrder, childId: string, answers: Told): Promise<ToolStepDone> {
  for (let waitMs = FIRST_LOOK_MS; ; waitMs *= LOOK_GROWTH) {
    const seen = answers.received;
    const done = await calls.finishChild(order);
    if (done) return done;
    await condition(() => answers.received > seen || answers.ended.delete(childId), waitMs);
  }
}
