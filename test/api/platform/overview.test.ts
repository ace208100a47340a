import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { makeAccount } from '../../support/account.ts';
import { ownerUrlOf } from '../../support/database.ts';
import { getJson } from '../../support/http.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { dayBefore, storeCalls } from '../../support/pastCalls.ts';
import { setStage } from './stage.ts';

const stage = await setStage();
afterAll(() => stage.close());

const overview = async (key: string) =>
  (await getJson<Record<string, unknown>>(`${stage.api.url}/platform/v1/overview`, key)).body;

interface DaySpend {
  day: string;
  cost_usd: number;
}

const NOTHING = Array.from({ length: 30 }, () => ({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), cost_usd: 0 }));

const EMPTY = {
  runway_days: null,
  spend_days: NOTHING,
  spend_days_before: NOTHING,
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
    await getJson(`${stage.api.url}/platform/v1/requests/${id}`, secret);
    await owner.query('set session_replication_role = replica');
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

test('has the spending of thirty days and of the thirty before, each with today’s hours', async () => {
  const { secret, workspaceId, keyId } = await makeAccount(stage.db, { creditUsd: '10' });
  const call = (daysAgo: number, costNanos: number, time = '12:00:00Z') => ({
    at: `${dayBefore(daysAgo)}T${time}`,
    keyId,
    workspaceId,
    costNanos,
  });
  await storeCalls(stage.databaseUrl, [
    call(0, 1_000, '00:00:00Z'),
    call(29, 2_000, '00:00:00Z'),
    call(29, 500, '23:59:59.999Z'),
    call(30, 3_000, '23:59:59.999Z'),
    call(59, 4_000, '00:00:00Z'),
    call(60, 5_000, '23:59:59.999Z'),
  ]);
  const days = (list: unknown) =>
    (list as DaySpend[]).filter(({ cost_usd }) => cost_usd > 0).map(({ day, cost_usd }) => [day, cost_usd]);
  for (const _ of ['read', 'remembered']) {
    const seen = await overview(secret);
    expect((seen.spend_days as DaySpend[]).map(({ day }) => day)).toEqual(
      Array.from({ length: 30 }, (_day, at) => dayBefore(29 - at)),
    );
    expect((seen.spend_days_before as DaySpend[]).map(({ day }) => day)).toEqual(
      Array.from({ length: 30 }, (_day, at) => dayBefore(59 - at)),
    );
    expect(days(seen.spend_days)).toEqual([
      [dayBefore(29), 2.5e-6],
      [dayBefore(0), 1e-6],
    ]);
    expect(days(seen.spend_days_before)).toEqual([
      [dayBefore(59), 4e-6],
      [dayBefore(30), 3e-6],
    ]);
  }
});

test('says how many days the balance lasts at the spending of the last week', async () => {
  const { secret, workspaceId, keyId } = await makeAccount(stage.db, { creditUsd: '10' });
  const costNanos = 700_000_000;
  // Of the eighth day before, nothing counts.
  const calls = [1, 3, 7, 8].map((days) => ({ at: `${dayBefore(days)}T12:00:00Z`, keyId, workspaceId, costNanos }));
  await storeCalls(stage.databaseUrl, calls);
  const daysMost = (10 / 2.1) * 8;
  const { runway_days: days } = await overview(secret);
  expect(days).toBeGreaterThanOrEqual(Math.floor((10 / 2.1) * 70) / 10);
  expect(days).toBeLessThanOrEqual(daysMost);
  const spent = await makeAccount(stage.db, { balanceNanos: 0n });
  await storeCalls(stage.databaseUrl, [{ ...calls[0]!, workspaceId: spent.workspaceId, keyId: spent.keyId }]);
  expect(await overview(spent.secret)).toMatchObject({ runway_days: 0 });
});

test('follows the clock of a test workspace', async () => {
  const { secret, workspaceId, keyId } = await makeAccount(stage.db, { isTest: true });
  await stage.db.pool.query('update workspaces set clock_seconds = 40 * 86400 where id = $1', [workspaceId]);
  await storeCalls(stage.databaseUrl, [{ at: `${dayBefore(-38)}T12:00:00Z`, keyId, workspaceId, costNanos: 5_000 }]);
  const { spend_days: days, spend_yesterday_usd: yesterday } = await overview(secret);
  expect((days as DaySpend[]).at(-1)!.day).toBe(dayBefore(-40));
  expect((days as DaySpend[]).at(-3)).toEqual({ day: dayBefore(-38), cost_usd: 5e-6 });
  expect(yesterday).toBe(0);
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

test('each notice names what its event is about', async () => {
  const { secret, workspaceId } = await makeAccount(stage.db);
  const budget = { key_name: null, project_name: null, percent: 80, amount_usd: '100' };
  const events: [type: string, data: object][] = [
    ['invoice.issued', { number: 'LL-2026-7', total_usd: '24.5' }],
    ['topup.succeeded', { amount_usd: '25' }],
    ['deployment.rejected', { agent: 'harbor/minutes', version: '2026-11-29.3', version_number: 3 }],
    ['key.limit_reached', { name: 'CI checks' }],
    ['key.limit_reached', { name: 'nightly', spend_limit_period: 'monthly', period_start: '2026-11-01' }],
    ['key.limit_reached', { name: 'hourly', spend_limit_period: 'daily', period_start: '2026-11-30' }],
    ['webhook_endpoint.disabled', { url: 'https://hooks.example/secret-path' }],
    ['alert.spend_reached', { ...budget, project_name: 'Warehouse', period: 'monthly', period_start: '2026-11-01' }],
    ['alert.spend_reached', { ...budget, period: 'daily', period_start: '2026-11-30' }],
    // As of an earlier release.
    ['deployment.approved', {}],
  ];
  for (const [at, [type, data]] of events.entries())
    await stage.db.pool.query(
      `insert into platform_events (id, workspace_id, type, resource_type, resource_id, data, created_at)
       values ($1, $2, $3, 'it', 'it_1', $4, now() - $5 * interval '1 minute')`,
      [`evt_notice_${at}`, workspaceId, type, data, at],
    );
  const { notices } = await overview(secret);
  expect((notices as { message: string }[]).map(({ message }) => message)).toEqual([
    'Invoice LL-2026-7 was issued: $24.50.',
    '$25.00 was added to the balance.',
    'Version 2026-11-29.3 of harbor/minutes was rejected.',
    'The key CI checks has reached its spend limit: its calls are refused.',
    'The key nightly has reached its spend limit for November 2026.',
    'The key hourly has reached its spend limit for 30 November 2026.',
    'The webhook endpoint at hooks.example was disabled, because deliveries to it failed.',
    'Spending of Warehouse has reached 80 % of its budget of $100.00 for November 2026.',
    'Spending of this workspace has reached 80 % of its budget of $100.00 for 30 November 2026.',
    'A submitted agent was approved.',
  ]);
});
