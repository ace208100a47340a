import {
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ScheduledRunInput, ScheduledRunResult } from './contracts/schedule.ts';

const RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' } as const;

// Without a limit: a firing waits for an unavailable database.
const { fireSchedule } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
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
  const runId = input.runId ?? (await fire(input));
  setCurrentDetails(`Run ${runId}`);
  try {
    return endLikeRun(runId, await untilEnded(input, runId));
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await cancelScheduledRun(runId);
      await untilEnded(input, runId);
    });
    throw error;
  }
}

async function fire({ scheduleId }: ScheduledRunInput): Promise<string> {
  const { workflowId, startTime, searchAttributes } = workflowInfo();
  const planned = searchAttributes.TemporalScheduledStartTime?.[0];
  const scheduledAt = (planned instanceof Date ? planned : startTime).toISOString();
  const fired = await fireSchedule({ scheduleId, workflowId, scheduledAt });
  if (fired.outcome === 'started') return fired.runId;
  throw ApplicationFailure.create({ message: fired.message, type: fired.code, nonRetryable: true });
}

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 60_000;
const WAIT_GROWTH = 1.2;
const HISTORY_EVENTS_MAX = 2_000;

/** Waits for the run's end, and returns its state. Each wait is slightly longer than the last. */
async function untilEnded(input: ScheduledRunInput, runId: string): Promise<string> {
  for (let waitMs = input.runId ? WAIT_MS_MAX : FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * WAIT_GROWTH, WAIT_MS_MAX)) {
    const status = await readRunEnd(runId);
    if (status !== null) return status;
    await sleep(waitMs);
    if (workflowInfo().historyLength > HISTORY_EVENTS_MAX)
      await continueAsNew<typeof scheduledRun>({ ...input, runId });
  }
}

/** Ends the workflow so that Temporal's list shows failed and cancelled runs as such. */
function endLikeRun(runId: string, status: string): ScheduledRunResult {
  if (status === 'completed' || status === 'limit_reached') return { runId, status };
  throw ApplicationFailure.create({ message: `The run ${runId} ended: ${status}.`, type: status, nonRetryable: true });
}
