import { afterAll, expect, test } from '@jest/globals';
import { readRevenue, type RevenueReport } from '../../../db/accounting/revenue.ts';
import { sumRevenue } from '../../../db/accounting/revenueDays.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { dayBefore, storeCalls, withOwner } from '../../support/pastCalls.ts';
import { makeRun } from '../../support/run.ts';

const at = (days: number, time = '00:00:01') => `${dayBefore(days)}T${time}.000Z`;
/** One nano-USD for each token, at one upstream. */
const costOf = (model: string, upstream: string) =>
  model === 'model-a' && upstream === 'main' ? { input_tokens: 1_000n } : undefined;
const read = (days = 7) => readRevenue(db.everywhere, { days, costOf });

const charged = ({ days, daysBefore }: RevenueReport) =>
  Object.fromEntries([...daysBefore, ...days].flatMap(({ day, chargedNanos: nanos }) => (nanos ? [[day, nanos]] : [])));

const db = await setTestDatabase();
const live = await makeAccount(db, {});
const tester = await makeAccount(db, { isTest: true });
const own = { workspaceId: live.workspaceId, keyId: live.keyId };
const main = { upstream: 'main', usage: { input_tokens: 100, output_tokens: 7 } };
await storeCalls(db.url, [
  { ...own, ...main, at: at(0), costNanos: 500 },
  { ...own, ...main, at: at(2), costNanos: 300 },
  { ...own, ...main, at: at(2), costNanos: 40, upstream: 'spare' },
  { ...own, at: at(3), costNanos: 60, model: 'model-b', product: 'speech' },
  { ...own, ...main, at: at(8), costNanos: 200 },
  // A week before today, but later than now.
  { ...own, ...main, at: at(7, '23:59:59'), costNanos: 7_000 },
  { ...own, ...main, at: at(60), costNanos: 9_000 },
  { workspaceId: tester.workspaceId, keyId: tester.keyId, at: at(2), costNanos: 5_000 },
]);
afterAll(() => db.close());

test('charges are summed by day, product, model and upstream, beside as much of the period before', async () => {
  const report = await read();
  expect(report.days.map(({ day }) => day)).toEqual([6, 5, 4, 3, 2, 1, 0].map((days) => dayBefore(days)));
  expect(report.daysBefore.map(({ day }) => day)).toEqual([13, 12, 11, 10, 9, 8, 7].map((days) => dayBefore(days)));
  expect(charged(report)).toEqual({
    [dayBefore(8)]: 200n,
    [dayBefore(3)]: 60n,
    [dayBefore(2)]: 340n,
    [dayBefore(0)]: 500n,
  });
  const byName = new Map(report.lines.map((line) => [`${line.product} ${line.model} ${line.upstream}`, line]));
  expect(byName.get('text model-a main')).toMatchObject({ calls: 2, chargedNanos: 800n, chargedBeforeNanos: 200n });
  expect(byName.get('text model-a spare')).toMatchObject({ calls: 1, chargedNanos: 40n, costNanos: null });
  expect(byName.get('speech model-b ')).toMatchObject({ calls: 1, chargedNanos: 60n, costNanos: null });
});

test('the cost is that of the units at the upstreams where it is stated', async () => {
  const { lines } = await read();
  expect(lines.find(({ upstream }) => upstream === 'main')!.costNanos).toBe(200n);
});

test('what a correction writes off counts on its own day, too', async () => {
  const [id] = await storeCalls(db.url, [
    { workspaceId: live.workspaceId, keyId: live.keyId, at: at(3), costNanos: 10, model: 'model-c' },
  ]);
  await withOwner(db.url, async (owner) => {
    await owner.query('update requests set written_off_nanos = 50 where id = $1', [id]);
    await owner.query(`insert into replaced_bills (request_id, workspace_id, model, route, usage)
      select id, workspace_id, model, route, usage from requests where id = $1`, [id]); // prettier-ignore
    await owner.query(`insert into ledger_legs (transaction_id, leg, account_id, kind, subject, amount_nanos)
      values (-2, 1, 'revenue', 'write_off correction', $1, 30), (-2, 2, 'write_off', 'write_off correction contra', $1, -30)`, [id]); // prettier-ignore
  });
  const { days, lines } = await read();
  const written = days.flatMap(({ day, writtenOffNanos: nanos }) => (nanos ? [[day, nanos]] : []));
  expect(Object.fromEntries(written)).toEqual({ [dayBefore(3)]: 20n, [dayBefore(0)]: 30n });
  expect(lines.find(({ model }) => model === 'model-c')).toMatchObject({ chargedNanos: 10n, writtenOffNanos: 50n });
});

test('days that are over are summed once, and the report stays the same', async () => {
  const before = await read(30);
  expect(await sumRevenue(db.everywhere)).toBeGreaterThan(59);
  expect(await read(30)).toEqual(before);
  expect(await sumRevenue(db.everywhere)).toBe(0);
  const { rows } = await db.pool.query<{ day: string }>('select max(day)::text as day from revenue_days');
  expect(rows[0]!.day).toBe(dayBefore(2));
});

test('a correction counts on its own day, also when the day of the call is summed', async () => {
  await sumRevenue(db.everywhere);
  const [id] = await storeCalls(db.url, [
    { workspaceId: live.workspaceId, keyId: live.keyId, at: at(0), costNanos: 90 },
  ]);
  await withOwner(db.url, async (owner) => {
    await owner.query('update requests set settled_at = $2 where id = $1', [id, at(2)]);
    await owner.query(`insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos)
      select -1, 0, a.id, a.workspace_id, 'refund', $1, 30 from accounts a where a.workspace_id = $2`, [id, live.workspaceId]); // prettier-ignore
  });
  const days = charged(await read());
  expect(days[dayBefore(2)]).toBe(340n);
  expect(days[dayBefore(0)]).toBe(470n);
});

test('runs count for their agents, payments and payouts on their days', async () => {
  const { id } = await makeRun(db, live);
  await withOwner(db.url, async (owner) => {
    const values = [id, at(0)];
    await owner.query(`update runs set settled_at = $2, total_nanos = 45, subtotal_nanos = 45, status = 'completed' where id = $1`, values); // prettier-ignore
    await owner.query(`insert into topups (id, workspace_id, origin, amount_nanos, refunded_nanos, livemode, status, paid_at)
      values ('top_1', $1, 'checkout', 10, 4, false, 'paid', $2), ('top_2', $1, 'checkout', 99, 0, false, 'failed', null)`, [live.workspaceId, at(1)]); // prettier-ignore
    await owner.query(`insert into payouts (id, workspace_id, amount_nanos, destination, status, requested_by, requester, created_at)
      values ('po_1', $1, 6, 'balance', 'paid', 'u', 'u', $2)`, [live.workspaceId, at(3)]); // prettier-ignore
  });
  const { days, lines } = await read();
  expect(lines.find(({ product }) => product === 'agents')).toMatchObject({ model: 'test/agent', chargedNanos: 45n });
  const onDay = (back: number) => days.find(({ day }) => day === dayBefore(back));
  expect(onDay(1)).toMatchObject({ topupsNanos: 10n, takenBackNanos: 4n });
  expect(onDay(3)).toMatchObject({ payoutsNanos: 6n });
});
