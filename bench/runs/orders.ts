import type { Database } from '../../db/database.ts';
import { pricingOf } from '../../db/agents/pricing.ts';
import { resolveAgent } from '../../db/agents/publicAgents.ts';
import { newId } from '../../db/ids.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { createRun } from '../../db/runs/createRun.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Installation } from '../installation.ts';
import { postRequest } from '../load/postRequest.ts';

/** An agent that comes with the platform. The upstream answers without calling its tools. */
const AGENT = 'ledgerline/writer';
/** Makes the upstream say a sentence in one piece. */
const INPUT = JSON.stringify({ scripted: { text: 'The answer is four.', chunks: 1 } });
const NETWORK_FEE_PERCENTAGE = 10;
/** As the catalogue has them. */
const PLATFORM_COSTS = { model_input_tokens: 3e-7, model_output_tokens: 2.5e-6, sandbox_seconds: 5e-5 };
const MAX_COST_USD = 0.01;

/** The order of a run as bytes, ready to be sent again and again. */
export function runRequest(key: string): Buffer {
  return postRequest({ path: '/v1/runs', key, body: { agent: AGENT, input: INPUT, max_cost_usd: MAX_COST_USD } });
}

/** Creates this many runs as the API does; the caller starts their workflows. */
export async function createRuns({ db, ...spender }: Installation, count: number): Promise<RunRow[]> {
  const { workspaceId } = spender;
  const agent = (await resolveAgent(db.pool, { agent: AGENT, version: null, visibility: 'public', workspaceId }))!;
  const pricing = pricingOf(agent, { platformCosts: PLATFORM_COSTS, networkFeePercentage: NETWORK_FEE_PERCENTAGE });
  const runs: RunRow[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = newId('run');
    const { run } = await createRun(db, { ...order, id, key: spender, agent, pricing });
    runs.push(run);
  }
  await markStarted(db, runs);
  return runs;
}

/** How many of these runs have completed. */
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
  input: INPUT,
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
