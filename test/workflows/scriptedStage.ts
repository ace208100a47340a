import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { ensureSearchAttributes } from '../../worker/namespace.ts';
import {
  BATCH_TASK_QUEUE,
  BATCH_WORKFLOW,
  batchStartOf,
  TASK_QUEUE,
  WEBHOOK_TASK_QUEUE,
  WEBHOOK_WORKFLOW,
  webhookIdOf,
  type BatchInput,
} from '../../workflows/contract.ts';
import { startTestTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';

/** What an activity does at one of its calls: its result, or what it throws. The last one also answers later calls. */
export type Scripted = unknown;

/** The activities of one workflow by name, and their calls in order. */
export interface ScriptedWorld {
  script: Record<string, Scripted[]>;
  calls: string[];
}

export type ScriptedStage = Awaited<ReturnType<typeof setScriptedStage>>;

const BATCH_ACTIVITIES = ['validateBatch', 'runBatchLines', 'watchBatchPart', 'writeBatchFiles', 'cancelBatch'];

/** The workflows of batches and webhooks on a Temporal server, with scripted activities. The worker's runtime must be installed before. */
export async function setScriptedStage() {
  const temporal = await startTestTemporal();
  const connection = await Connection.connect({ address: temporal.address });
  const native = await NativeConnection.connect({ address: temporal.address });
  await ensureSearchAttributes(connection, temporal.namespace);
  const client = new Client({ connection });
  const worlds = new Map<string, ScriptedWorld>();
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
    logger: new DefaultLogger('WARN'),
  });
  const activitiesOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, scripted(worlds, name)]));
  const queues = [
    { taskQueue: TASK_QUEUE, workflowBundle },
    { taskQueue: BATCH_TASK_QUEUE, activities: activitiesOf(BATCH_ACTIVITIES) },
    { taskQueue: WEBHOOK_TASK_QUEUE, activities: activitiesOf(['deliverWebhook']) },
  ];
  const workers = await Promise.all(queues.map((queue) => Worker.create({ connection: native, ...queue })));
  const running = Promise.all(workers.map((worker) => worker.run()));
  let count = 0;

  function newWorld(script: ScriptedWorld['script']): { id: string; world: ScriptedWorld } {
    const id = `played_${(count += 1)}`;
    const world = { script, calls: [] };
    worlds.set(id, world);
    return { id, world };
  }

  /** Starts a batch; `next`: as it goes on in a new history. */
  async function startBatch(script: ScriptedWorld['script'], next?: BatchInput['next']) {
    const { id, world } = newWorld(script);
    const start = batchStartOf(id);
    await client.workflow.start(BATCH_WORKFLOW, { ...start, ...(next && { args: [{ batchId: id, next }] }) });
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

  async function close(): Promise<void> {
    for (const worker of workers) worker.shutdown();
    await running;
    await Promise.all([connection.close(), native.close()]);
    await temporal.stop();
  }

  return { client, startBatch, startWebhook, close };
}

function scripted(worlds: ReadonlyMap<string, ScriptedWorld>, name: string) {
  return async (input: string | { batchId?: string; eventId?: string }): Promise<unknown> => {
    const { script, calls } = worlds.get(typeof input === 'string' ? input : (input.batchId ?? input.eventId)!)!;
    calls.push(name);
    const answers = script[name]!;
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    const result: unknown = await (typeof answer === 'function' ? (answer as () => unknown)() : answer);
    if (result instanceof Error) throw result;
    return result;
  };
}

/** Resolves when an activity was called so often. */
export const untilCalled = ({ calls }: ScriptedWorld, name: string, times: number): Promise<void> =>
  until(() => calls.filter((call) => call === name).length >= times);

/** One path through a workflow: its end, and the calls of its activities. */
export interface ScriptedScenario {
  promise: string;
  /** Its result; undefined when it ends as cancelled. */
  ends: object | undefined;
  calls: string[];
  play: (stage: ScriptedStage) => Promise<{ handle: WorkflowHandle; world: ScriptedWorld }>;
}
