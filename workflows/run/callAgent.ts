import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { ChildOrder, ToolStepDone } from '../../activities/index.ts';
import { calls } from './calls.ts';
import type { Job } from './job.ts';

// The end of a child is signalled; this finds one whose signal was lost.
const LOOK_MS = 60_000;

/**
 * Starts the run of another agent and waits for its end. When this run is cancelled, the other one is cancelled first: a run has no open
 * children when it is settled. `answers` counts signals.
 */
export async function callAgent(
  order: ChildOrder,
  { answers, view }: Pick<Job, 'answers' | 'view'>,
): Promise<ToolStepDone> {
  const started = await calls.startChild(order);
  if (started.childId === undefined) return started;
  view.called(started.childId);
  try {
    return await endOfChild(order, answers);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return CancellationScope.nonCancellable(async () => {
      await calls.cancelChild(order);
      return { ...(await endOfChild(order, answers)), outcome: 'stopped' };
    });
  }
}

async function endOfChild(order: ChildOrder, answers: { received: number }): Promise<ToolStepDone> {
  for (;;) {
    const seen = answers.received;
    const done = await calls.finishChild(order);
    if (done) return done;
    await condition(() => answers.received > seen, LOOK_MS);
  }
}
