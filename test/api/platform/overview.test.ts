import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { makeAccount } from '../../support/account.ts';
import { ownerUrlOf } from '../../support/database.ts';
import { getJson } from '../../support/http.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { setStage } from './stage.ts';

let stage: Awaited<ReturnType<typeof setStage>>;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const overview = async (key: string) =>
  (await getJson<Record<string, unknown>>(`${stage.api.url}/platform/v1/overview`, key)).body;

const EMPTY = {
  spend_today_usd: 0,
  spend_yesterday_usd: 0,
  spend_month_usd: 0,
  spend_last_month_usd: 0,
  requests_last_hour: 0,
  errors_last_hour: 0,
  refused_last_hour: [],
  runs_last_hour: 0,
  runs_failed_last_hour: 0,
  runs_open: 0,
  notices: [],
};

test('a new workspace has a balance and no spending', async () => {
  const { secret } = await makeAccount(stage.db, { creditUsd: '10' });
  expect(await overview(secret)).toEqual({
    ...EMPTY,
    balance_usd: 10,
    held_usd: 0,
    available_usd: 10,
    blocked: null,
  });
});

test('counts calls and runs of the last hour, with their cost', async () => {
  const account = await makeAccount(stage.db, { creditUsd: '10' });
  await stage.chat(account.secret);
  await stage.ask(account.secret, '{"scripted":{"status":500}}');
  await finishTestRun(stage.db, await makeRun(stage.db, account), { subtotalNanos: 900n });
  await finishTestRun(stage.db, await makeRun(stage.db, account), { status: 'failed' });
  await makeRun(stage.db, account);
  const seen = await overview(account.secret);
  expect(seen).toMatchObject({
    requests_last_hour: 2,
    errors_last_hour: 1,
    runs_last_hour: 2,
    runs_failed_last_hour: 1,
    runs_open: 1,
    held_usd: 1e-6,
  });
  expect(seen.spend_month_usd).toBe(seen.spend_today_usd);
  expect(seen.spend_today_usd as number).toBeCloseTo(10 - (seen.balance_usd as number), 9);
});

test('shows the spending of today, yesterday, this month and last month separately', async () => {
  const { secret, workspaceId } = await makeAccount(stage.db);
  const owner = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  await owner.connect();
  const spend = async (settled: string) => {
    const id = await stage.chat(secret);
    await overview(secret);
    await owner.query(`update requests set settled_at = ${settled} where id = $1`, [id]);
  };
  const firstDay = `date_trunc('month', now(), 'UTC')`;
  await spend(`${firstDay} - interval '1 month'`);
  await spend(`${firstDay} - interval '1 month 1 minute'`);
  await spend(`date_trunc('day', now(), 'UTC') - interval '1 day'`);
  await spend('now()');
  await owner.query('delete from usage_rollups');
  const { rows } = await owner.query<{ cost: string }>(
    'select cost_nanos as cost from requests where workspace_id = $1 limit 1',
    [workspaceId],
  );
  await owner.end();
  const calls = (usd: unknown) => Math.round(((usd as number) * 1e9) / Number(rows[0]!.cost));
  const seen = await overview(secret);
  const isFirstDay = new Date().getUTCDate() === 1;
  expect({
    today: calls(seen.spend_today_usd),
    yesterday: calls(seen.spend_yesterday_usd),
    month: calls(seen.spend_month_usd),
    lastMonth: calls(seen.spend_last_month_usd),
  }).toEqual({ today: 1, yesterday: 1, month: isFirstDay ? 1 : 2, lastMonth: isFirstDay ? 2 : 1 });
});

test('shows why a key can no longer spend, and explains a failed payment', async () => {
  const { secret, workspaceId } = await makeAccount(stage.db, { balanceNanos: 0n });
  expect(await overview(secret)).toMatchObject({ blocked: { code: 'insufficient_balance' } });
  const limited = await makeAccount(stage.db, { spendLimitNanos: 0n, spendLimitPeriod: 'daily' });
  expect(await overview(limited.secret)).toMatchObject({ blocked: { code: 'key_spend_limit_reached' } });
  await stage.db.pool.query(
    `insert into platform_events (id, workspace_id, type, resource_type, resource_id, data) values ('evt_overview', $1, 'topup.failed', 'topup', 'top_1', '{}')`,
    [workspaceId],
  );
  expect((await overview(secret)).notices).toEqual([
    { type: 'topup.failed', message: expect.stringContaining('card'), created_at: expect.stringMatching(/Z$/) },
  ]);
});
