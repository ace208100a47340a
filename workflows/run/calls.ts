import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type {
  Activities,
  ChildOrder,
  ChildStarted,
  PauseOrder,
  RunEnding,
  ToolActivities,
  ToolStepDone,
  TurnsResult,
  Waiting,
  WaitOrder,
} from '../../activities/index.ts';
import type { Job } from './job.ts';
import { TOOL_TASK_QUEUE, type EventHead, type RunResult } from '../../contracts/run.ts';

// One short transaction each, run in the workflow's own worker without a round trip to the server. A database outage must neither lose a
// run nor leave it open, so they are retried until they succeed.
const { pauseRun, resumeRun, takeAnswers, finishRun } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

// A step may take as long as its model streams; without a heartbeat for ten seconds its worker counts as lost.
const STEP_OPTIONS = {
  startToCloseTimeout: '2h',
  heartbeatTimeout: '10s',
  // A stopped step also reports what it consumed, before the run is settled.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  // Retries for lost workers. A failed step decides itself whether and when it is retried.
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const;

const { modelStep } = proxyActivities<Activities>(STEP_OPTIONS);

// While no worker with a tested sandbox is available they wait, until the run's deadline.
const { toolStep } = proxyActivities<ToolActivities>({ ...STEP_OPTIONS, taskQueue: TOOL_TASK_QUEUE });

// Short transactions (a question about a plugin's tool also lists the plugin's tools), whose results the history keeps as those of steps.
const { startChildRun, finishChildRun, cancelChildRun, askCaller } = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

// Activities stop themselves at the run's deadline; this limit ends those whose worker is lost.
const DEADLINE_GRACE_MS = 15_000;
const until = (deadlineMs: number | undefined) =>
  deadlineMs === undefined ? {} : { scheduleToCloseTimeout: Math.max(1, deadlineMs - Date.now()) + DEADLINE_GRACE_MS };

const work = (deadlineMs: number | undefined) =>
  deadlineMs === undefined ? 'take the run out of the queue and ask the model' : 'ask the model';

/** The activities of a run, with the summary that operators read. */
export const calls = {
  /**
   * The first step takes the run out of the queue and returns its deadline; the last one settles and finishes it. Short steps after it may
   * be done with it: `reused` says where they end.
   */
  callModel: (
    runId: string,
    step: number,
    { deadlineMs, ...asked }: Pick<Job, 'deadlineMs' | 'modelStepsMax'> & { modelSteps: number },
  ): Promise<TurnsResult> =>
    modelStep.executeWithOptions({ ...until(deadlineMs), summary: `From step ${step}: ${work(deadlineMs)}` }, [
      { runId, step, deadlineMs, ...asked },
    ]),

  use: (
    runId: string,
    tool: { step: number; modelStep: number; name: string },
    deadlineMs: number,
  ): Promise<ToolStepDone> =>
    toolStep.executeWithOptions({ ...until(deadlineMs), summary: `Step ${tool.step}: use ${tool.name}` }, [
      { runId, step: tool.step, modelStep: tool.modelStep, deadlineMs },
    ]),

  startChild: (order: ChildOrder): Promise<ChildStarted> =>
    startChildRun.executeWithOptions({ summary: `Step ${order.step}: call an agent` }, [order]),

  finishChild: (order: ChildOrder): Promise<ToolStepDone | null> =>
    finishChildRun.executeWithOptions({ summary: `Step ${order.step}: take the agent's result` }, [order]),

  cancelChild: (order: ChildOrder): Promise<void> =>
    cancelChildRun.executeWithOptions({ summary: `Step ${order.step}: cancel the agent's run` }, [order]),

  pause: (order: PauseOrder): Promise<{ events: EventHead[] }> =>
    pauseRun.executeWithOptions({ summary: 'Ask the caller' }, [order]),

  resume: (runId: string, step: number): Promise<{ events: EventHead[]; isExpired?: true } | null> =>
    resumeRun.executeWithOptions({ summary: 'Take up the answer' }, [{ runId, step }]),

  ask: (order: WaitOrder): Promise<Waiting> =>
    askCaller.executeWithOptions({ summary: `Ask the caller: steps ${order.steps.join(', ')}` }, [order]),

  takeAnswers: (order: WaitOrder): Promise<Waiting> =>
    takeAnswers.executeWithOptions({ summary: 'Take up the answers' }, [order]),

  finish: (runId: string, ending: RunEnding): Promise<RunResult> =>
    finishRun.executeWithOptions({ summary: `Settle and end the run: ${ending.status}` }, [{ runId, ending }]),
};
