import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { RUN_ENDED_SIGNAL, type ScheduledRunInput, type ScheduledRunResult } from '../contracts/schedule.ts';

const runEnded = defineSignal(RUN_ENDED_SIGNAL);

const RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' } as const;

// Without a limit: a firing waits for an unavailable database. A newer firing that replaces it has to cancel a run that is being created.
const { fireSchedule } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: RETRY,
  summary: 'Create the run, or record why there is none',
});

const { readRunEnd } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: RETRY,
  summary: 'See whether the run has ended',
});

const { cancelScheduledRun } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: RETRY,
  summary: 'Cancel the run, because a newer one replaces it',
});

/** One firing of a schedule: creates its run, and ends with the same status. A cancellation cancels the run. */
export async function scheduledRun(input: ScheduledRunInput): Promise<ScheduledRunResult> {
  const ends = { told: 0 };
  setHandler(runEnded, () => void (ends.told += 1));
  const runId = input.runId ?? (await fire(input));
  if (runId === undefined) return { status: 'skipped' };
  const firing = { input, runId, ends };
  setCurrentDetails(`Run ${runId}`);
  try {
    return endLikeRun(runId, await untilEnded(firing));
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await cancelScheduledRun(runId);
      await untilEnded(firing);
    });
    throw error;
  }
}

/** Creates the run once it is its turn. Undefined: the overlap policy skips the firing. */
async function fire(input: ScheduledRunInput): Promise<string | undefined> {
  const { scheduleId } = input;
  const { workflowId, startTime, searchAttributes } = workflowInfo();
  const planned = searchAttributes.TemporalScheduledStartTime?.[0];
  const isPlanned = planned instanceof Date;
  const scheduledAt = (isPlanned ? planned : startTime).toISOString();
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * WAIT_GROWTH, WAIT_MS_MAX)) {
    const fired = await fireSchedule({ scheduleId, workflowId, scheduledAt, isPlanned });
    switch (fired.outcome) {
      case 'started':
        return fired.runId;
      case 'skipped':
        return undefined;
      case 'missed':
        throw ApplicationFailure.create({ message: fired.message, type: fired.code, nonRetryable: true });
      case 'waiting':
        await sleep(waitMs);
        // Its turn may come after weeks, when the run before it has got its approval.
        if (workflowInfo().historyLength > HISTORY_EVENTS_MAX) await continueAsNew<typeof scheduledRun>(input);
        break;
      default:
        fired satisfies never;
    }
  }
}

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 60_000;
const WAIT_GROWTH = 1.2;
const HISTORY_EVENTS_MAX = 2_000;
// For a run whose end was not told: another run superseded it, or a process died.
const FIRST_LOOK_MS = 5_000;
const LOOK_MS_MAX = 300_000;
const LOOK_GROWTH = 2;

/** Waits for the run's end, and returns its state. The run's end is signalled; each look for one that was not comes later than the last. */
async function untilEnded({ input, runId, ends }: Firing): Promise<string> {
  const isTold = patched('signalledEnd');
  const [firstMs, mostMs, growth] = isTold
    ? [FIRST_LOOK_MS, LOOK_MS_MAX, LOOK_GROWTH]
    : [FIRST_WAIT_MS, WAIT_MS_MAX, WAIT_GROWTH];
  for (let waitMs = input.runId ? mostMs : firstMs; ; waitMs = Math.min(waitMs * growth, mostMs)) {
    const seen = ends.told;
    const status = await readRunEnd(runId);
    if (status !== null) return status;
    if (isTold) await condition(() => ends.told > seen, waitMs);
    else await sleep(waitMs);
    if (workflowInfo().historyLength > HISTORY_EVENTS_MAX)
      await continueAsNew<typeof scheduledRun>({ ...input, runId });
  }
}

/** A firing that waits for its run. `told` counts signals of its end. */
interface Firing {
  input: ScheduledRunInput;
  runId: string;
  ends: { told: number };
}

/** Ends the workflow so that Temporal's list shows failed and cancelled runs as such. */
function endLikeRun(runId: string, status: string): ScheduledRunResult {
  if (status === 'completed' || status === 'limit_reached') return { runId, status };
  throw ApplicationFailure.create({ message: `The run ${runId} ended: ${status}.`, type: status, nonRetryable: true });
}
