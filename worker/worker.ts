import type { Client } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { clientOptionsOf, type TemporalSettings } from '../base/temporalSettings.ts';
import {
  createActivities,
  createBatchActivities,
  createToolActivities,
  createWebhookActivities,
  type ActivityDependencies,
  type WebhookSending,
} from '../activities/index.ts';
import { resealToolSecrets } from '../db/agents/toolSecrets.ts';
import { resealPluginSecrets } from '../db/plugins/pluginSecrets.ts';
import { resealSignIns } from '../db/plugins/pluginSignIns.ts';
import type { SealingKeys } from '../db/sealing/sealingKeys.ts';
import type { ArchiveFiles } from '../db/archive/archiveFiles.ts';
import type { Database } from '../db/database.ts';
import type { Issuer } from '../db/invoices/issueInvoices.ts';
import type { RunRow } from '../db/runs/runRow.ts';
import type { TurnOf } from '../orders/turns.ts';
import type { Sandbox } from '../tools/sandbox/sandbox.ts';
import { resealAuditExports } from '../db/auditExports/auditExports.ts';
import { resealSecrets } from '../db/webhooks/endpoints.ts';
import { openSecretBox } from '../db/sealing/secretBox.ts';
import { createTemporalSchedules } from '../orders/temporalSchedules.ts';
import { BATCH_TASK_QUEUE } from '../contracts/batch.ts';
import { TOOL_TASK_QUEUE } from '../contracts/run.ts';
import { TASK_QUEUE } from '../contracts/start.ts';
import { WEBHOOK_TASK_QUEUE } from '../contracts/webhook.ts';
import type { Slots } from './config.ts';
import { deploymentOptionsOf, warnUnlessCurrent } from './deployment.ts';
import type { ReadGauge } from '../base/telemetry/metrics.ts';
import { reconciliationGauges } from './paymentMetrics.ts';
import { countLateTries } from './lateTries.ts';
import { temporalGauges } from './temporalMetrics.ts';
import { connectToNamespace } from './connection.ts';
import {
  createBatchWorkflows,
  createEvaluationWorkflows,
  createReviewWorkflows,
  createRunWorkflows,
  createTestClockWorkflows,
  createTopupWorkflows,
  createWebhookWorkflows,
} from './workflows.ts';
import { createOpenTools, offerTools } from './openTools.ts';
import { startWebhooksOnNotice } from './webhookNotices.ts';
import { workerTracing } from './tracedWork.ts';
import { readWorkflowBundle } from './workflowBundle.ts';

const WEBHOOKS_AT_ONCE = 50;

type WorkerOptions = Pick<
  ActivityDependencies,
  | 'models'
  | 'payments'
  | 'mailer'
  | 'textProviders'
  | 'lines'
  | 'judges'
  | 'upstreamBatches'
  | 'batchConcurrency'
  | 'retryDelayMaxMs'
  | 'reviewCostUsdMax'
> & {
  db: Database;
  /** The address of the console, for links in Temporal's UI. */
  consoleUrl?: string;
  /** Activities that it carries at once; the usual numbers when left out. */
  slots?: Slots;
  /** The limit of open runs per workspace. */
  openRunsMax: number;
  unbilledKeptDays: number;
  archiveFiles: ArchiveFiles | undefined;
  /** How many days after its end a month of calls moves to the archive; null: never. */
  archiveAfterDays: number | null;
  issuer: Issuer;
  /** Keys that decrypt the credentials of plugins, and from which the keys for webhook secrets are derived. */
  pluginKeys: SealingKeys;
  /** Undefined after failed tests: then this worker takes no tools. */
  sandbox: Sandbox | undefined;
  /** How webhooks are sent. */
  webhookSending: WebhookSending;
  temporal: TemporalSettings;
  /** The version of this worker in a rolling deploy; undefined: all workers have the same. */
  buildId?: string;
  logger: Logger;
};

export type LedgerlineWorker = {
  /** Figures of Temporal's queues, read with the metrics. */
  gauges: ReadGauge[];
  /** The faults that keep it from working: parts by name. */
  findFaults(): Promise<string[]>;
  /** Runs until the process gets SIGINT or SIGTERM, or `stop` is called; running activities may then finish. */
  run(): Promise<void>;
  stop(): void;
};

/** Connects to Temporal, with retries, registers attributes and schedules, and creates a worker that is ready to run. */
export async function createWorker(options: WorkerOptions): Promise<LedgerlineWorker> {
  const { connection, client } = await connectToNamespace(options);
  const { db } = options;
  const starters = {
    workflows: createRunWorkflows(client, db, options.consoleUrl),
    reviews: createReviewWorkflows(client, db, options.consoleUrl),
    topups: createTopupWorkflows(client),
    batches: createBatchWorkflows(client, options.consoleUrl),
    evaluations: createEvaluationWorkflows(client, options.consoleUrl),
    clocks: createTestClockWorkflows(client),
  };
  const secrets = await openSecretBox(db.everywhere, options.pluginKeys);
  await resealSecrets(db.everywhere, secrets);
  await resealPluginSecrets(db.everywhere, secrets);
  await resealSignIns(db.everywhere, secrets);
  await resealToolSecrets(db.everywhere, secrets);
  await resealAuditExports(db.everywhere, secrets);
  const openTools = createOpenTools({ ...options, secrets });
  await offerTools({ ...options, secrets }, options.logger);
  const webhooks = {
    secrets,
    sending: options.webhookSending,
    workflows: createWebhookWorkflows(client),
  };
  const dependencies = {
    ...options,
    openTools,
    ...starters,
    webhooks,
    ...createOrdering(options, starters.workflows),
    schedules: createSchedules(client, options),
    secrets,
    auditExports: { secrets, allowPrivate: options.webhookSending.allowPrivate },
    joinedTools: joinedToolsOf(options),
    isStopping: (): boolean => !TAKING.includes(workers[0]!.getState()),
  };
  const workers: Worker[] = [
    await createMainWorker(connection, options, createActivities(dependencies)),
    await createWebhookWorker(connection, options, createWebhookActivities(dependencies)),
    await createBatchWorker(connection, options, createBatchActivities(dependencies)),
  ];
  startWebhooksOnNotice(dependencies, db.notices, options.logger);
  if (options.buildId !== undefined) await warnUnlessCurrent(client, options.buildId, options.logger);
  if (options.sandbox) {
    workers.push(await createToolWorker(connection, options, createToolActivities(dependencies)));
  }
  return {
    gauges: [...temporalGauges(client), ...(options.payments ? reconciliationGauges(client) : [])],
    findFaults: () => findFaults(db, client, workers),
    run: () => runAndClose(workers, connection),
    stop: () => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

const TAKING: readonly string[] = ['INITIALIZED', 'RUNNING'];

/** The services that orders of runs need, and the notifier of their workflows. */
function createOrdering(options: WorkerOptions, workflows: ReturnType<typeof createRunWorkflows>) {
  const { db, models: agentModels, openRunsMax, webhookSending, logger } = options;
  const webhookLoopback = webhookSending.allowPrivate === 'loopback';
  const inBackground = (runId: string, work: Promise<void>) =>
    void work.catch((err: unknown) => logger.warn({ err, runId }, 'the sweep notifies the workflow of this run'));
  return {
    orders: { db, agentModels, config: { openRunsMax, webhookLoopback } },
    runStarter: {
      start: (run: RunRow) => inBackground(run.id, workflows.start(run)),
      cancel: ({ id }: RunRow) => inBackground(id, workflows.cancel(id)),
      turn: (of: TurnOf, inMs?: number) =>
        inMs === undefined ? inBackground(of.workspaceId, workflows.turn(of)) : workflows.turnIn(of.workspaceId, inMs),
    },
  };
}

/** The schedules in Temporal. */
function createSchedules(client: Client, { db }: WorkerOptions) {
  const temporal = createTemporalSchedules((work) => work(client), db);
  return { temporal: { ...temporal, sync: () => temporal.sync() } };
}

// A cancellation arrives with the answer to a heartbeat, unless a notice is faster.
const COMMON_OPTIONS = {
  shutdownGraceTime: '15s',
  shutdownForceTime: '20s',
  maxHeartbeatThrottleInterval: '2500ms',
} as const;

/** The options that all workers of this process share. */
function sharedOptionsOf(connection: NativeConnection, { temporal, buildId }: WorkerOptions) {
  const { activity, sinks } = workerTracing();
  return {
    ...COMMON_OPTIONS,
    ...clientOptionsOf(temporal),
    interceptors: { activity: [...activity, countLateTries] },
    sinks,
    ...(buildId !== undefined && { workerDeploymentOptions: deploymentOptionsOf(buildId) }),
    connection,
  };
}

async function createMainWorker(connection: NativeConnection, options: WorkerOptions, activities: object) {
  return Worker.create({
    ...sharedOptionsOf(connection, options),
    taskQueue: TASK_QUEUE,
    workflowBundle: await readWorkflowBundle(),
    ...atOnce(options.slots?.modelSteps),
    activities,
  });
}

// Of Temporal's library.
const SLOTS_USUAL = 100;

/** Half of the places of tools are those beside the model: at most half of its own, so that others can always ask a model. */
function joinedToolsOf({ sandbox, slots }: WorkerOptions): number {
  const { modelSteps = SLOTS_USUAL, toolSteps = SLOTS_USUAL } = slots ?? {};
  return sandbox ? Math.floor(Math.min(modelSteps, toolSteps) / 2) : 0;
}

// Their windows end after half a minute.
const BATCHES_AT_ONCE = 8;

/** The most activities that a worker carries at once, if it is set. */
const atOnce = (most: number | undefined) => (most === undefined ? {} : { maxConcurrentActivityTaskExecutions: most });

function createBatchWorker(connection: NativeConnection, options: WorkerOptions, activities: object) {
  return Worker.create({
    ...sharedOptionsOf(connection, options),
    taskQueue: BATCH_TASK_QUEUE,
    ...atOnce(options.slots?.batches ?? BATCHES_AT_ONCE),
    activities,
  });
}

function createToolWorker(connection: NativeConnection, options: WorkerOptions, activities: object) {
  return Worker.create({
    ...sharedOptionsOf(connection, options),
    taskQueue: TOOL_TASK_QUEUE,
    ...atOnce((options.slots?.toolSteps ?? SLOTS_USUAL) - joinedToolsOf(options)),
    activities,
  });
}

function createWebhookWorker(connection: NativeConnection, options: WorkerOptions, activities: object) {
  return Worker.create({
    ...sharedOptionsOf(connection, options),
    taskQueue: WEBHOOK_TASK_QUEUE,
    activities,
    maxConcurrentActivityTaskExecutions: WEBHOOKS_AT_ONCE,
  });
}

async function findFaults(db: Database, client: Client, workers: Worker[]): Promise<string[]> {
  const database = await db.findFaults();
  const temporal = await client.connection.workflowService.getSystemInfo({}).then(
    () => [],
    () => ['temporal'],
  );
  const idle = workers.every((worker) => worker.getState() === 'RUNNING') ? [] : ['worker'];
  return [...database, ...temporal, ...idle];
}

async function runAndClose(workers: Worker[], connection: NativeConnection): Promise<void> {
  try {
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    await connection.close();
  }
}
