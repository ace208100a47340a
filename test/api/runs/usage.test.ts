import { afterAll, describe, expect, test } from '@jest/globals';
import { WorkspaceUsage } from '../../../api/runs/runAnswers.ts';
import { newId } from '../../../db/ids.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const DAY_MS = 86_400_000;

const stage = await setRunRouteStage();
afterAll(() => stage.close());

/** A settled run, `daysAgo` days back. Costs in thousandths of a dollar. */
interface Settled {
  status: 'completed' | 'failed' | 'cancelled' | 'limit_reached';
  daysAgo?: number;
  cost?: number;
  absorbed?: number;
  /** The platform's part of the cost. */
  fee?: number;
  seconds?: number;
  agent?: string;
  source?: string;
  meters?: Record<string, { quantity: number; cost: number }>;
}

async function settle(workspaceId: string, run: Settled): Promise<void> {
  const { status, daysAgo = 0, cost = 0, fee = 0, absorbed = 0, seconds = 10, agent = 'one', source = 'api' } = run;
  const id = newId('run');
  const costNanos = cost * 1_000_000;
  await stage.db.pool.query(SETTLED, [
    id,
    workspaceId,
    agent,
    status,
    source,
    costNanos,
    absorbed * 1_000_000,
    daysAgo,
    seconds,
    fee * 1_000_000,
  ]);
  for (const [meter, used] of Object.entries(run.meters ?? {}))
    await stage.db.pool.query(METERED, [id, meter, used.quantity * 1000, used.cost * 1_000_000]);
}

const usage = async (key: string, range = '7d') => read(await stage.call(`/v1/usage?range=${range}`, { key }), 200);

const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

describe('GET /v1/usage', () => {
  test('of a workspace without runs has all members, with zeros', async () => {
    const { secret } = await stage.account();
    const { body, response } = await bodyOf('/v1/usage', secret);
    expect(response.status).toBe(200);
    const { daily, range_start, range_end, ...rest } = body;
    expect(rest).toEqual({
      object: 'workspace.usage',
      range: '30d',
      totals: {
        spent_usd: 0,
        tasks: 0,
        completed: 0,
        failed: 0,
        limit_reached: 0,
        failed_cost_usd: 0,
        completion_rate: 0,
        median_cost_usd: null,
        median_duration_seconds: null,
      },
      prior: null,
      by_agent: [],
      by_source: [],
      by_meter: [],
      sample_size: 0,
    });
    expect(daily).toEqual(
      Array.from({ length: 30 }, (_, at) => ({
        date: dateOf(29 - at),
        spent_usd: 0,
        completed: 0,
        failed: 0,
        cancelled: 0,
      })),
    );
    expect(new Date(range_end as string).getTime() - new Date(range_start as string).getTime()).toBe(30 * DAY_MS);
    expect(range_start).toBe(`${dateOf(29)}T00:00:00.000Z`);
  });

  test('equals a week that is computed by hand', async () => {
    const { secret, workspaceId } = await stage.account();
    const tokens = { model_output_tokens: { quantity: 1000, cost: 3 } };
    await settle(workspaceId, { status: 'completed', cost: 100, seconds: 1, meters: tokens });
    await settle(workspaceId, { status: 'completed', cost: 200, seconds: 2, source: 'chat' });
    await settle(workspaceId, { status: 'completed', cost: 300, seconds: 3, agent: 'two', source: 'chat' });
    await settle(workspaceId, {
      status: 'completed',
      cost: 400,
      seconds: 4,
      daysAgo: 6,
      meters: { tool_calls: { quantity: 2.5, cost: 1 } },
    });
    await settle(workspaceId, { status: 'completed', cost: 0, seconds: 50, daysAgo: 1 });
    await settle(workspaceId, { status: 'failed', absorbed: 70, daysAgo: 1, agent: 'two' });
    await settle(workspaceId, { status: 'cancelled', cost: 10, daysAgo: 1 });
    await settle(workspaceId, { status: 'limit_reached', cost: 500, agent: 'two', source: 'workstream' });
    await settle(workspaceId, { status: 'completed', cost: 1000, daysAgo: 7 });
    await settle(workspaceId, { status: 'failed', absorbed: 5, daysAgo: 13 });
    await settle(workspaceId, { status: 'completed', cost: 9999, daysAgo: 14 });
    const body = await usage(secret);
    expect(WorkspaceUsage.parse(body)).toEqual(body);
    expect(body.totals).toEqual({
      spent_usd: 1.51,
      tasks: 8,
      completed: 5,
      failed: 1,
      limit_reached: 1,
      failed_cost_usd: 0.07,
      completion_rate: 0.625,
      median_cost_usd: 0.2,
      median_duration_seconds: 3,
    });
    expect(body.sample_size).toBe(5);
    expect(body.prior).toEqual({
      spent_usd: 1,
      tasks: 2,
      completed: 1,
      failed: 1,
      limit_reached: 0,
      failed_cost_usd: 0.005,
      completion_rate: 0.5,
      median_cost_usd: null,
      median_duration_seconds: null,
    });
    const none = { spent_usd: 0, completed: 0, failed: 0, cancelled: 0 };
    expect(body.daily).toEqual([
      { ...none, date: dateOf(6), spent_usd: 0.4, completed: 1 },
      ...[5, 4, 3, 2].map((daysAgo) => ({ ...none, date: dateOf(daysAgo) })),
      { date: dateOf(1), spent_usd: 0.01, completed: 1, failed: 1, cancelled: 1 },
      { ...none, date: dateOf(0), spent_usd: 1.1, completed: 3 },
    ]);
    expect(body.by_agent).toEqual([
      {
        agent_id: 'agent_two',
        agent_name: 'two',
        spent_usd: 0.8,
        tasks: 3,
        completed: 1,
        failed: 1,
        failed_cost_usd: 0.07,
        median_cost_usd: null,
        daily_spent_usd: [0, 0, 0, 0, 0, 0, 0.8],
      },
      {
        agent_id: 'agent_one',
        agent_name: 'one',
        spent_usd: 0.71,
        tasks: 5,
        completed: 4,
        failed: 0,
        failed_cost_usd: 0,
        median_cost_usd: null,
        daily_spent_usd: [0.4, 0, 0, 0, 0, 0.01, 0.3],
      },
    ]);
    expect(body.by_source).toEqual([
      { source: 'api', label: 'API', spent_usd: 0.51, tasks: 5 },
      { source: 'chat', label: 'Chat', spent_usd: 0.5, tasks: 2 },
      { source: 'workstream', label: 'Workstream', spent_usd: 0.5, tasks: 1 },
    ]);
    expect(body.by_meter).toEqual([
      { id: 'model_output_tokens', label: 'Model output', unit: 'token', quantity: 1000, cost_usd: 0.003, share: 0.75 },
      { id: 'tool_calls', label: 'Tool calls', unit: 'token', quantity: 2.5, cost_usd: 0.001, share: 0.25 },
    ]);
  });

  test("splits the whole spending, including an agent's minimum and the platform's fee", async () => {
    const { secret, workspaceId } = await stage.account();
    const meters = { tool_calls: { quantity: 1, cost: 4 }, minimum_cost: { quantity: 1, cost: 5 } };
    await settle(workspaceId, { status: 'completed', cost: 10, fee: 1, meters });
    await settle(workspaceId, {
      status: 'cancelled',
      cost: 10,
      fee: 1,
      meters: { tool_calls: { quantity: 2, cost: 9 } },
    });
    await settle(workspaceId, { status: 'completed', cost: 10, fee: 1, daysAgo: 8 });
    const { totals, by_meter } = await usage(secret);
    expect(totals).toMatchObject({ spent_usd: 0.02 });
    expect(by_meter).toEqual([
      { id: 'tool_calls', label: 'Tool calls', unit: 'token', quantity: 3, cost_usd: 0.013, share: 0.65 },
      { id: 'minimum_cost', label: 'Minimum cost', unit: 'token', quantity: 1, cost_usd: 0.005, share: 0.25 },
      { id: 'network_fee', label: 'Network fee', unit: 'run', quantity: 2, cost_usd: 0.002, share: 0.1 },
    ]);
  });

  test('uses the mean of the middle two as median of an even number of runs, also per agent', async () => {
    const { secret, workspaceId } = await stage.account();
    for (const [at, cost] of [1, 2, 3, 4, 5, 6].entries())
      await settle(workspaceId, { status: 'completed', cost, seconds: at + 1 });
    const { totals, by_agent, sample_size } = await usage(secret, '90d');
    expect(totals).toMatchObject({ median_cost_usd: 0.0035, median_duration_seconds: 3.5 });
    expect(by_agent).toMatchObject([{ median_cost_usd: 0.0035 }]);
    expect(sample_size).toBe(6);
  });

  test('counts neither unsettled runs nor runs of another workspace', async () => {
    const { secret } = await stage.account();
    await settle(stage.other.workspaceId, {
      status: 'completed',
      cost: 100,
      meters: { tool_calls: { quantity: 1, cost: 1 } },
    });
    await stage.create({}, { key: secret });
    expect(await usage(secret)).toMatchObject({ totals: { tasks: 0 }, by_agent: [], by_source: [], by_meter: [] });
  });

  test('refuses an unknown range, and a key without the scope', async () => {
    const voice = await stage.account({ scopes: ['voice'] });
    expect(await errorOf(await stage.call('/v1/usage?range=1y'))).toMatchObject({ status: 422, param: 'range' });
    expect(await errorOf(await stage.call('/v1/usage?days=7'))).toMatchObject({ status: 422, param: 'days' });
    expect(await errorOf(await stage.call('/v1/usage', { key: voice.secret }))).toMatchObject({ status: 403 });
  });
});

async function bodyOf(path: string, key: string) {
  const response = await stage.call(path, { key });
  return { response, body: (await response.json()) as Record<string, unknown> };
}

// Noon of the day, so that the test passes at any time of day.
const SETTLED = `
insert into runs (id, workspace_id, key_id, account_id, publisher_workspace_id, agent_id, agent, agent_name, version_id, version, session_id,
  visibility, status, input, on_limit, on_disconnect, if_session_busy, timeout_seconds, start_at, source, rate_card, max_cost_nanos,
  minimum_cost_nanos, hold_id, held_nanos, subtotal_nanos, network_fee_nanos, total_nanos, absorbed_nanos, started_at, completed_at, settled_at)
select $1, $2, 'key_a', 'acct_a', 'ws_a', 'agent_' || $3, 'test/' || $3, $3, 'aver_a', '2026-01-01', 'ses_a', 'public', $4, '"hello"', 'stop',
  'continue', 'reject', 60, t.at, $5, '{}', $6::bigint, 0, 'hold_a', 0, $6::bigint - $10::bigint, $10::bigint, $6::bigint, $7, t.at - $9 * interval '1 second', t.at, t.at
from (select (date_trunc('day', now() at time zone 'utc') + interval '12 hours' - $8 * interval '1 day') at time zone 'utc' as at) t`;
const METERED = `
insert into run_usage (run_id, meter, workspace_id, unit, quantity_thousandths, cost_nanos, settled_at)
select id, $2, workspace_id, 'token', $3, $4, settled_at from runs where id = $1`;
