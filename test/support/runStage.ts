import { randomUUID } from 'node:crypto';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { clientOptionsOf, connectionOptionsOf, type TemporalSettings } from '../../base/temporalSettings.ts';
import type { WebhookSending } from '../../activities/index.ts';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import type { ModelSettings } from '../../db/entities/agentJson.ts';
import { pricingOf } from '../../db/agents/pricing.ts';
import { resolveAgent } from '../../db/agents/publicAgents.ts';
import type { Database } from '../../db/database.ts';
import { createSealingKey, parseSealingKeys } from '../../db/sealing/sealingKeys.ts';
import { newId } from '../../db/ids.ts';
import type { Spender } from '../../db/ledger/ledger.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { createRun, type NewRun } from '../../db/runs/createRun.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import type { Sandbox } from '../../tools/sandbox/sandbox.ts';
import type { Slots } from '../../worker/config.ts';
import { createWorker, type LedgerlineWorker } from '../../worker/worker.ts';
import { createRunWorkflows } from '../../worker/workflows.ts';
import { makeAccount } from './account.ts';
import { plainWorker, openAgentModel } from './agent.ts';
import { makeDatabase, openTestDatabase } from './database.ts';
import { expectDocumentedEvents } from './runEvents.ts';
import { sharedSandbox } from './sandbox.ts';
import { startTestTemporal, type TestTemporal } from './temporal.ts';
import { silenceTemporal } from './temporalRuntime.ts';
import { startApi, type RunningApi } from './startApi.ts';
import { until } from './until.ts';

silenceTemporal();

export type RunStage = Awaited<ReturnType<typeof setRunStage>>;

/** Changes to the default run of a test. `script` is the model's behaviour, sent as the input. */
export interface RunSetup extends Partial<Omit<NewRun, 'key' | 'agent' | 'pricing'>> {
  script?: Script;
  tools?: string[];
  /** The agent's model settings and types. */
  settings?: ModelSettings;
  plugins?: AgentConfiguration['plugins'];
  maxCostUsd?: number;
  minimumCostUsd?: number;
  /** The maximum cost of a run of the agent. */
  maximumCostUsd?: number;
  creditUsd?: string;
  account?: Spender;
  /** The name of a published agent to run, instead of the test's own. */
  published?: string;
}

const rates = [
  { meter: 'model_input_tokens' as const, price_usd: 0.000001 },
  { meter: 'model_output_tokens' as const, price_usd: 0.00001 },
  { meter: 'sandbox_seconds' as const, price_usd: 0.0005 },
  { meter: 'tool_calls' as const, price_usd: 0.001 },
];

/** A database, a Temporal server, a scripted upstream, and workers in this process. */
export async function setRunStage({
  sandbox,
  webhookSending = { allowPrivate: 'loopback' },
  reach = ({ address, namespace }) => ({ address, namespace }),
  historyEvents,
}: {
  sandbox?: Sandbox;
  webhookSending?: WebhookSending;
  /** How workers and the client connect to the server: directly, unless a test inserts a proxy. */
  reach?: (temporal: TestTemporal) => TemporalSettings | Promise<TemporalSettings>;
  /** The length of a history after which the server suggests a new one. */
  historyEvents?: number;
} = {}) {
  const database = await makeDatabase();
  // This process does more than a worker, so it may receive a database answer later than the default allows.
  const db = await openTestDatabase({ url: `${database.url}&query_timeout=60000` });
  const upstream = await startScripted();
  const settled =
    historyEvents === undefined ? {} : { settings: [`limit.historyCount.suggestContinueAsNew=${historyEvents}`] };
  const temporal: TestTemporal = await startTestTemporal(settled);
  const settings = await reach(temporal);
  const connection = await Connection.connect(connectionOptionsOf(settings));
  const client = new Client({ ...clientOptionsOf(settings), connection });
  const { model, models, textProviders, close: closeModel } = openAgentModel(upstream.url);
  const pluginKeys = parseSealingKeys(createSealingKey());
  const running = new Map<LedgerlineWorker, Promise<void>>();
  const apis: RunningApi[] = [];

  async function startWorker(own: { sandbox?: Sandbox; slots?: Slots } = {}): Promise<LedgerlineWorker> {
    const worker = await createWorker({
      ...plainWorker,
      db,
      models,
      openRunsMax: 1000,
      textProviders,
      pluginKeys,
      sandbox: own.sandbox ?? sandbox,
      ...(own.slots && { slots: own.slots }),
      webhookSending,
      temporal: settings,
    });
    running.set(worker, worker.run());
    return worker;
  }

  async function stopWorker(worker: LedgerlineWorker): Promise<void> {
    worker.stop();
    await running.get(worker);
    running.delete(worker);
  }

  /** A run in the database, as the API creates it, without a started workflow. */
  async function makeRun(wish: RunSetup = {}): Promise<RunRow> {
    const account = wish.account ?? (await makeAccount(db, { creditUsd: wish.creditUsd ?? '10' }));
    const agent = wish.published ? await findPublished(db, wish.published) : await publishAgent(db, wish);
    const { run } = await createRun(db, {
      ...orderOf(wish),
      key: account,
      agent,
      pricing: pricingOf(agent, { platformCosts: {}, networkFeePercentage: 10 }),
    });
    return run;
  }

  const workflows = createRunWorkflows(client, db);

  async function startOwnApi(env: Record<string, string> = {}): Promise<RunningApi> {
    const addresses = { databaseUrl: database.url, upstreamUrl: upstream.url };
    const api = await startApi({ ...addresses, env: { TEMPORAL_ADDRESS: temporal.address, ...env } });
    apis.push(api);
    return api;
  }

  async function endOf(runId: string): Promise<RunRow> {
    // A failed or cancelled run ends its workflow with that status.
    await client.workflow
      .getHandle(runId)
      .result()
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowFailedError)) throw error;
      });
    return readRun(db, runId);
  }

  async function close(): Promise<void> {
    await Promise.all(apis.map((api) => api.stop()));
    for (const worker of running.keys()) await stopWorker(worker);
    await connection.close();
    await temporal.stop();
    await closeModel();
    await upstream.stop();
    const [found] = await Promise.allSettled([expectDocumentedEvents(db)]);
    await db.close();
    await database.drop();
    if (found.status === 'rejected') throw found.reason;
  }

  return {
    db,
    databaseUrl: database.url,
    upstream,
    temporal,
    client,
    startWorker,
    stopWorker,
    /** The API of this stage, which closes with it. */
    startApi: startOwnApi,
    makeRun,
    /** The workers' keys for the credentials of plugins. */
    pluginKeys,
    /** The agents' model. */
    model,
    workflows,
    /** Resolves when a run has this many events of a type. */
    untilEvent: (runId: string, type: string, count = 1): Promise<void> =>
      until(async () => (await readEvents(db, runId)).filter((event) => event.type === type).length >= count),
    /** Resolves with a run's row when its workflow has ended. */
    endOf,
    /** Runs `work` while no worker takes tasks, then starts a worker again. */
    withoutWorker: async (work: () => Promise<void>): Promise<void> => {
      for (const worker of running.keys()) await stopWorker(worker);
      await work();
      await startWorker();
    },
    /** Makes a run, starts it, and resolves with its row when its workflow has ended. */
    runToEnd: async (wish?: RunSetup): Promise<RunRow> => {
      const run = await makeRun(wish);
      await workflows.start(run);
      return endOf(run.id);
    },
    readRun: (runId: string) => readRun(db, runId),
    /** The types of a run's events in order, or another value of each. */
    eventsOf: (runId: string) => readEvents(db, runId),
    close,
  };
}

async function findPublished({ everywhere }: Pick<Database, 'everywhere'>, agent: string) {
  const wanted = { agent, version: null, visibility: 'public', workspaceId: '' } as const;
  return (await resolveAgent(everywhere, wanted))!;
}

function orderOf({
  script,
  settings: _settings,
  published: _published,
  maxCostUsd = 1,
  ...wish
}: RunSetup): Omit<NewRun, 'key' | 'agent' | 'pricing'> {
  return {
    id: newId('run'),
    visibility: 'private',
    sessionId: null,
    input: script ? JSON.stringify({ scripted: script }) : 'What is two and two?',
    maxCostNanos: nanosOfUsd(maxCostUsd),
    onLimit: 'stop',
    onDisconnect: 'continue',
    ifSessionBusy: 'reject',
    timeoutSeconds: 3600,
    startAfterSeconds: 0,
    isRehearsed: false,
    source: 'api',
    responseFormat: null,
    metadata: {},
    webhookUrl: null,
    webhookEvents: null,
    openRunsMax: 1000,
    ...wish,
  };
}

async function publishAgent(
  db: { pool: { query(text: string, values: unknown[]): Promise<unknown> } },
  { tools = [], plugins = [], settings, minimumCostUsd = 0, maximumCostUsd = 5 }: RunSetup,
) {
  const agentId = newId('agent');
  const versionId = newId('aver');
  const publisherWorkspaceId = newId('ws');
  const configuration: AgentConfiguration = {
    name: 'Tester',
    description: 'Does what it is told.',
    instructions: 'Do as you are told.',
    tools,
    plugins,
    pricing: { minimum_cost_usd: minimumCostUsd, maximum_cost_usd: maximumCostUsd, rates },
    icon_file_id: null,
    categories: [],
    example_prompts: [],
    ...settings,
  };
  await db.pool.query(
    `insert into agent_versions (id, workspace_id, agent_id, number, label, source_revision, configuration)
     values ($1, $2, $3, 1, '2026-11-21', 1, $4)`,
    [versionId, publisherWorkspaceId, agentId, JSON.stringify(configuration)],
  );
  const agent = `test/agent-${randomUUID().slice(0, 8)}`;
  const version = '2026-11-21';
  const names = { agentId, agent, agentName: 'Tester', publisherWorkspaceId, versionId, version };
  return { ...names, configuration, subsidised: false, suspended: false };
}

async function readRun(
  db: { pool: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> } },
  runId: string,
) {
  return (await db.pool.query('select * from runs where id = $1', [runId])).rows[0] as RunRow;
}

async function readEvents(
  db: { pool: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> } },
  runId: string,
) {
  const { rows } = await db.pool.query(
    'select sequence, type, data from run_events where run_id = $1 order by sequence',
    [runId],
  );
  return rows as { sequence: number; type: string; data: Record<string, unknown> }[];
}

/** Slots of a worker that joins no tools to steps of a model: each step is an activity, and histories become long. */
const APART: Slots = { modelSteps: 100, toolSteps: 1, batches: 8 };

/**
 * The stage of runs with a sandbox for their tools, and a running worker. With a length of histories it joins no steps. Temporal's program
 * may have to be installed first.
 */
export async function setSandboxedRunStage(more: { historyEvents?: number } = {}): Promise<RunStage> {
  const stage = await setRunStage({ sandbox: await sharedSandbox(), ...more });
  await stage.startWorker(more.historyEvents === undefined ? {} : { slots: APART });
  return stage;
}
