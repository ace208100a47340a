import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { pricingOf } from '../../../db/agents/pricing.ts';
import { resolveAgent } from '../../../db/agents/publicAgents.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { createRun } from '../../../db/runs/createRun.ts';
import type { RunRow } from '../../../db/runs/runRow.ts';
import { startTemporal } from '../../stack/temporal.ts';
import { findTemporalBinary } from '../../stack/temporalBinary.ts';
import type { Installation } from '../installation.ts';
import { postRequest } from '../load.ts';
import { type RunningProcess, type RunningServer, startProcess } from '../servers.ts';

/** The task queue of bare workflows, and their name. */
const BARE_TASK_QUEUE = 'bench-bare';
export const BARE_WORKFLOW = 'bare';

/** Starts a bare workflow of this many activities. */
export const bareStart = (steps = 1) => ({
  taskQueue: BARE_TASK_QUEUE,
  workflowId: randomUUID(),
  args: [steps] as [number],
});

/** All parts that runs need, and a worker of bare workflows, on one Temporal server. No part is pinned to a core. */
export interface RunStage {
  installation: Installation;
  api: RunningServer;
  client: Client;
  /** The process of each part. */
  pids: Record<RunPart, number>;
}

/** What works for a run, beside the model's upstream. */
export const RUN_PARTS = ['api', 'worker', 'temporal', 'postgres'] as const;
export type RunPart = (typeof RUN_PARTS)[number];

const root = join(import.meta.dirname, '../../..');

/** An upstream that answers at once, a Temporal server, our API and worker, and a worker of bare workflows, for the duration of `work`. */
export async function withRunStage<T>(installation: Installation, work: (stage: RunStage) => Promise<T>): Promise<T> {
  const ends: (() => Promise<void>)[] = [];
  const keep = async <Part extends { stop(): Promise<void> }>(starting: Promise<Part>): Promise<Part> => {
    const part = await starting;
    ends.push(() => part.stop());
    return part;
  };
  try {
    await seedAgents(installation.db.everywhere);
    const upstream = await keep(installation.startScripted());
    const temporal = await keep(startBenchTemporal(installation.folder));
    await keep(startBareWorker(installation.folder, temporal.address));
    const worker = await keep(installation.startWorker(upstream.url, temporal.address));
    const api = await keep(installation.startApiOfRuns(upstream.url, temporal.address));
    const connection = await Connection.connect({ address: temporal.address });
    ends.push(() => connection.close());
    const pids = { api: api.pid, worker: worker.pid, temporal: temporal.pid, postgres: installation.postgres.pid };
    return await work({ installation, api, client: new Client({ connection }), pids });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** A Temporal server, started like `npm start` does, but on other ports. */
export async function startBenchTemporal(folder: string) {
  const binDir = join(root, '.data/bin');
  const binary = await findTemporalBinary({ binDir, searchPath: '', onProgress: () => {} });
  const dataDir = join(folder, 'temporal');
  await mkdir(dataDir, { recursive: true });
  return startTemporal({ dataDir, binary, log: () => {} });
}

function startBareWorker(folder: string, temporalAddress: string): Promise<RunningProcess> {
  const args = ['ops/bench/runs/bareWorker.ts', temporalAddress, BARE_TASK_QUEUE];
  return startProcess({ name: 'bareWorker', args, folder }, 'working');
}

/** One of the platform's own agents. The upstream answers without calling its tools. */
const AGENT = 'ledgerline/writer';
/** The script of the upstream: one sentence in one piece. */
const INPUT = JSON.stringify({ scripted: { text: 'The answer is four.', chunks: 1 } });
const NETWORK_FEE_PERCENTAGE = 10;
/** In the catalogue's form. */
const PLATFORM_COSTS = { model_input_tokens: 3e-7, model_output_tokens: 2.5e-6, sandbox_seconds: 5e-5 };
const MAX_COST_USD = 0.01;

/** The request of a run as bytes, to be sent repeatedly. */
export function runRequest(key: string, input = INPUT): Buffer {
  return postRequest({ path: '/v1/runs', key, body: { agent: AGENT, input, max_cost_usd: MAX_COST_USD } });
}

/** Creates this many runs as the API does; the caller starts their workflows. */
export async function createRuns({ db, ...spender }: Installation, count: number, input = INPUT): Promise<RunRow[]> {
  const { workspaceId } = spender;
  const agent = (await resolveAgent(db.everywhere, {
    agent: AGENT,
    version: null,
    visibility: 'public',
    workspaceId,
  }))!;
  const pricing = pricingOf(agent, { platformCosts: PLATFORM_COSTS, networkFeePercentage: NETWORK_FEE_PERCENTAGE });
  const runs: RunRow[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = newId('run');
    const { run } = await createRun(db, { ...order, id, key: spender, agent, pricing, input });
    runs.push(run);
  }
  await markStarted(db, runs);
  return runs;
}

/** The number of completed runs among these. */
export async function countCompleted({ pool }: Database, runs: RunRow[]): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as completed from runs where id = any ($1) and status = 'completed'`,
    [runs.map(({ id }) => id)],
  );
  return rows[0].completed;
}

// The sweep starts runs without a recorded start.
async function markStarted({ pool }: Database, runs: RunRow[]): Promise<void> {
  await pool.query('update runs set workflow_started_at = now() where id = any ($1)', [runs.map(({ id }) => id)]);
}

const order = {
  visibility: 'public' as const,
  sessionId: null,
  responseFormat: null,
  isRehearsed: false,
  maxCostNanos: nanosOfUsd(MAX_COST_USD),
  onLimit: 'stop' as const,
  onDisconnect: 'continue' as const,
  ifSessionBusy: 'reject' as const,
  timeoutSeconds: 600,
  startAfterSeconds: 0,
  source: 'api',
  metadata: {},
  webhookUrl: null,
  webhookEvents: null,
  openRunsMax: 100_000,
};
