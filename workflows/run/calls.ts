import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type {
  Activities,
  ModelStepResult,
  PauseOrder,
  RunEnding,
  ToolActivities,
  ToolStepDone,
} from '../../activities/index.ts';
import { TOOL_TASK_QUEUE, type EventHead, type RunResult } from '../contract.ts';

// One short transaction each: they run in the worker that has the workflow, without a way through the server. The database may be
// away for long, and a run must be neither lost nor left open for that, so they are tried until they succeed.
const { pauseRun, resumeRun, finishRun } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

// A step may take as long as its model streams; one that gives no sign of life for ten seconds has lost its worker.
const STEP_OPTIONS = {
  startToCloseTimeout: '2h',
  heartbeatTimeout: '10s',
  // Also a step that is stopped says what it consumed, before the run is settled.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  // For workers that are lost. A step that fails says itself whether, and after what time, it is tried again.
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const;

const { modelStep } = proxyActivities<Activities>(STEP_OPTIONS);

const { toolStep } = proxyActivities<ToolActivities>({
  ...STEP_OPTIONS,
  taskQueue: TOOL_TASK_QUEUE,
  // Past this there is no worker with a sandbox that holds.
  scheduleToStartTimeout: '2m',
});

// Activities stop by themselves at the run's deadline; this ends those whose worker is away.
const DEADLINE_GRACE_MS = 15_000;
const until = (deadlineMs: number | undefined) =>
  deadlineMs === undefined ? {} : { scheduleToCloseTimeout: Math.max(1, deadlineMs - Date.now()) + DEADLINE_GRACE_MS };

const work = (deadlineMs: number | undefined) =>
  deadlineMs === undefined ? 'take the run out of the queue and ask the model' : 'ask the model';

/** Everything that a run does to the world, with the line that an operator reads beside it. */
export const calls = {
  /** The first step takes the run out of the queue and says when its time is up; the last one settles and ends it. */
  callModel: (runId: string, step: number, deadlineMs: number | undefined): Promise<ModelStepResult> =>
    modelStep.executeWithOptions({ ...until(deadlineMs), summary: `Step ${step}: ${work(deadlineMs)}` }, [
      { runId, step, deadlineMs },
    ]),

  use: (
    runId: string,
    tool: { step: number; modelStep: number; name: string },
    deadlineMs: number,
  ): Promise<ToolStepDone> =>
    toolStep.executeWithOptions({ ...until(deadlineMs), summary: `Step ${tool.step}: use ${tool.name}` }, [
      { runId, step: tool.step, modelStep: tool.modelStep, deadlineMs },
    ]),

  pause: (order: PauseOrder): Promise<{ events: EventHead[] }> =>
    pauseRun.executeWithOptions({ summary: 'Ask the caller' }, [order]),

  resume: (runId: string, step: number): Promise<{ events: EventHead[] } | null> =>
    resumeRun.executeWithOptions({ summary: 'Take up the answer' }, [{ runId, step }]),

  finish: (runId: string, ending: RunEnding): Promise<RunResult> =>
    finishRun.executeWithOptions({ summary: `Settle and end the run: ${ending.status}` }, [{ runId, ending }]),
};
