import { activityInfo } from '@temporalio/activity';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { ensureSearchAttributes } from '../../worker/namespace.ts';
import { readWorkflowBundle } from '../../worker/workflowBundle.ts';
import { BATCH_TASK_QUEUE, BATCH_WORKFLOW, batchStartOf, type BatchInput } from '../../contracts/batch.ts';
import { EVALUATION_WORKFLOW, evaluationStartOf } from '../../contracts/evaluation.ts';
import { TASK_QUEUE } from '../../contracts/start.ts';
import { SWEEP_WORKFLOW } from '../../contracts/sweep.ts';
import { WEBHOOK_TASK_QUEUE, WEBHOOK_WORKFLOW, webhookIdOf } from '../../contracts/webhook.ts';
import { TEST_CLOCK_WORKFLOW, testClockStartOf } from '../../contracts/test.ts';
import { temporalScheduleIdOf, temporalScheduleOf, type ScheduledRunInput } from '../../contracts/schedule.ts';
import type { scheduledRun } from '../../workflows/scheduledRun.ts';
import { startTestTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';

const SCHEDULE = {
  workspaceId: 'ws_1',
  run: { agent: 'acme/poet' },
  keyPrefix: 'sk_live_0000',
  cron: null,
  timezone: 'UTC',
  skip: [],
  everySeconds: 86_400,
  jitterSeconds: 0,
  startAt: null,
  endAt: null,
  overlap: 'allow' as const,
  catchupWindowSeconds: 60,
  remainingRuns: null,
  pausedAt: null,
  isHeld: false,
  pauseReason: null,
};

/** The outcome of an activity's call: its result, or its error. The last one also answers later calls. */
export type Scripted = unknown;

/** The activities of one workflow by name, and their calls in order. */
export interface ScriptedWorld {
  script: Record<string, Scripted[]>;
  calls: string[];
}

export type ScriptedStage = Awaited<ReturnType<typeof setScriptedStage>>;

const BATCH_ACTIVITIES = ['validateBatch', 'runBatchLines', 'watchBatchPart', 'writeBatchFiles', 'cancelBatch'];
const SCHEDULE_ACTIVITIES = ['fireSchedule', 'readRunEnd', 'cancelScheduledRun'];
const EVALUATION_ACTIVITIES = [
  'beginEvaluation',
  'startEvaluationCase',
  'gradeEvaluationCase',
  'finishEvaluation',
  // Of the runs of cases.
  'modelStep',
  'finishRun',
];
const CLOCK_ACTIVITIES = ['planClockStep', 'takeClockStep'];
const SWEEP_ACTIVITIES = ['sweepLoop'];
const SWEPT = { sweepLoop: [{ sweeps: 1, failures: 0 }] };

/**
 * The workflows of batches, evaluations, webhooks, sweeps and schedules on a Temporal server, with scripted activities. The worker's runtime must be
 * installed before.
 */
export async function setScriptedStage() {
  const temporal = await startTestTemporal();
  const connection = await Connection.connect({ address: temporal.address });
  const native = await NativeConnection.connect({ address: temporal.address });
  await ensureSearchAttributes(connection, temporal.namespace);
  const client = new Client({ connection });
  const worlds = new Map<string, ScriptedWorld>();
  const workflowBundle = await readWorkflowBundle();
  const activitiesOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, scripted(worlds, name)]));
  const queues = [
    {
      taskQueue: TASK_QUEUE,
      workflowBundle,
      maxHeartbeatThrottleInterval: '100ms',
      activities: activitiesOf([
        ...SCHEDULE_ACTIVITIES,
        ...EVALUATION_ACTIVITIES,
        ...CLOCK_ACTIVITIES,
        ...SWEEP_ACTIVITIES,
      ]),
    },
    { taskQueue: BATCH_TASK_QUEUE, activities: activitiesOf(BATCH_ACTIVITIES) },
    { taskQueue: WEBHOOK_TASK_QUEUE, activities: activitiesOf(['deliverWebhook']) },
  ];
  const workers = await Promise.all(queues.map((queue) => Worker.create({ connection: native, ...queue })));
  const running = Promise.all(workers.map((worker) => worker.run()));
  let count = 0;

  function newWorld(script: ScriptedWorld['script']): { id: string; world: ScriptedWorld } {
    const id = `played_${String((count += 1)).padStart(3, '0')}`;
    const world = { script, calls: [] };
    worlds.set(id, world);
    return { id, world };
  }

  /** Starts a batch; `next`: continued in a new history. */
  async function startBatch(script: ScriptedWorld['script'], next?: BatchInput['next']) {
    const { id, world } = newWorld(script);
    const start = batchStartOf({ id, workspaceId: 'ws_1' });
    await client.workflow.start(BATCH_WORKFLOW, { ...start, ...(next && { args: [{ batchId: id, next }] }) });
    return { handle: client.workflow.getHandle(start.workflowId), world };
  }

  /** Starts an evaluation. Ids of runs that contain its id have the same script. */
  async function startEvaluation(scriptOf: (id: string) => ScriptedWorld['script']) {
    const { id, world } = newWorld({});
    world.script = scriptOf(id);
    const start = evaluationStartOf({ id, workspaceId: 'ws_1', agentId: 'agent_1' });
    await client.workflow.start(EVALUATION_WORKFLOW, start);
    return { handle: client.workflow.getHandle(start.workflowId), world };
  }

  /** Starts a delivery. */
  async function startWebhook(script: ScriptedWorld['script']) {
    const { id, world } = newWorld(script);
    const input = { eventId: id, endpointId: 'whe_1' };
    const workflowId = webhookIdOf(input);
    await client.workflow.start(WEBHOOK_WORKFLOW, { workflowId, taskQueue: TASK_QUEUE, args: [input] });
    return { handle: client.workflow.getHandle(workflowId), world };
  }

  /** Starts the sweeper. */
  async function startSweeper(script: ScriptedWorld['script']) {
    const { id: workflowId, world } = newWorld({ ...SWEPT, ...script });
    const handle = await client.workflow.start(SWEEP_WORKFLOW, { workflowId, taskQueue: TASK_QUEUE });
    return { handle, world };
  }

  /** Moves a test clock. */
  async function startTestClock(script: ScriptedWorld['script']) {
    const { id, world } = newWorld(script);
    const { workflowId, taskQueue, args } = testClockStartOf(id);
    await client.workflow.start(TEST_CLOCK_WORKFLOW, { workflowId, taskQueue, args });
    return { handle: client.workflow.getHandle(workflowId), world };
  }

  /** Fires a schedule; `runId`: continued in a new history. */
  async function startScheduledRun(script: ScriptedWorld['script'], runId?: string) {
    const { id, world } = newWorld(script);
    const { action, ...schedule } = temporalScheduleOf({ ...SCHEDULE, id });
    const args: [ScheduledRunInput] = [{ scheduleId: id, ...(runId !== undefined && { runId }) }];
    const scheduleId = temporalScheduleIdOf(id);
    const made = await client.schedule.create<typeof scheduledRun>({
      ...schedule,
      scheduleId,
      action: { ...action, args },
      state: { ...schedule.state, triggerImmediately: true },
    });
    let fired: string | undefined;
    await until(async () => {
      const [first] = (await made.describe()).info.recentActions;
      fired = first?.action.workflow.workflowId;
      return fired !== undefined;
    });
    return { handle: client.workflow.getHandle(fired!), world };
  }

  async function close(): Promise<void> {
    for (const worker of workers) worker.shutdown();
    await running;
    await Promise.all([connection.close(), native.close()]);
    await temporal.stop();
  }

  return { client, startBatch, startEvaluation, startWebhook, startSweeper, startTestClock, startScheduledRun, close };
}

function scripted(worlds: ReadonlyMap<string, ScriptedWorld>, name: string) {
  return async (): Promise<unknown> => {
    const { workflowId } = activityInfo().workflowExecution!;
    const { script, calls } = [...worlds].find(([id]) => workflowId.includes(id))![1];
    calls.push(name);
    const answers = script[name]!;
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    const result: unknown = await (typeof answer === 'function' ? (answer as () => unknown)() : answer);
    if (result instanceof Error) throw result;
    return result;
  };
}

/** Resolves when an activity was called this often. */
export const untilCalled = ({ calls }: ScriptedWorld, name: string, times: number): Promise<void> =>
  until(() => calls.filter((call) => call === name).length >= times);

/** One path through a workflow: its end, and the calls of its activities. */
export interface ScriptedScenario {
  promise: string;
  /** Its result; else how it ends. */
  ends: object | 'FAILED' | 'CANCELLED';
  /** Undefined: it takes a minute, and is only recorded. */
  calls?: string[];
  play: (stage: ScriptedStage) => Promise<{ handle: WorkflowHandle; world: ScriptedWorld }>;
}
