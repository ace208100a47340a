import { afterAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { createSpendDays } from '../../../db/accounting/spendDays.ts';
import { sumHoursOfAll } from '../../../db/accounting/usageCells.ts';
import { readUsageReport, USAGE_GROUPS, type UsageGroup } from '../../../db/accounting/usageReport.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { billOf, makeSpender, settleAgain } from '../../support/ledger.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { lateSettlement } from '../ledger/lateSettlement.ts';

const db = await setTestDatabase();
const owner = new Client({ connectionString: ownerUrlOf(db.url) });
await owner.connect();
// Entries are moved back in time, to simulate passing hours.
await owner.query('alter table ledger_legs disable trigger user; alter table requests disable trigger user');
afterAll(async () => {
  await owner.end();
  await db.close();
});

/** The actions of a history; each gets a spender and a number. */
const events = {
  async call(spender: Spender, nanos: number) {
    await settleCall(spender, BigInt(nanos), { model: `model-${nanos % 3}`, usage: { input_tokens: nanos } });
  },
  async callAboveItsHold(spender: Spender, nanos: number) {
    const hold = await db.ledger.hold(spender, 100n);
    await db.ledger.settle(hold, billOf(spender, BigInt(nanos) + 1_000_000n));
  },
  async failedCall(spender: Spender) {
    await db.ledger.fail(await db.ledger.hold(spender, 100n), billOf(spender, 0n, { status: 502 }));
    await db.ledger.posted();
  },
  async refundedCall(spender: Spender, nanos: number) {
    const { requestId } = await settleCall(spender, BigInt(nanos));
    refunds.push(() => db.pool.query('select ledger_refund($1, $2, 503)', [requestId, 'none']));
  },
  async correctedCall(spender: Spender, nanos: number) {
    const bill = billOf(spender, 1n);
    const item = (charge: bigint) => lateSettlement(bill, { hold: 'none', cost: charge, charge });
    await settleAgain(db, { ...item(500n), provisional: true } as never);
    refunds.push(() => settleAgain(db, item(BigInt(nanos % 1_000))));
  },
  async laterChange() {
    await refunds.shift()?.();
  },
  async run(spender: Spender, nanos: number) {
    const run = await makeRun(db, spender, { maxCostNanos: BigInt(nanos) + 1_000n });
    await finishTestRun(db, run, { subtotalNanos: BigInt(nanos), networkFeeNanos: 90n });
  },
  async failedRun(spender: Spender, nanos: number) {
    await finishTestRun(db, await makeRun(db, spender), { status: 'failed', absorbedNanos: BigInt(nanos) });
  },
  async anHour({ workspaceId }: Spender) {
    // Moved through another year, because hours are a key and must not collide on the way.
    for (const [table, time] of TIMES)
      for (const hours of ['10000', '-10001'])
        await owner.query(`update ${table} set ${time} = ${time} + $2::interval where workspace_id = $1`, [
          workspaceId,
          `${hours} hours`,
        ]);
  },
  async sumsOfHours() {
    await sumHoursOfAll(db);
  },
};
const TIMES = [
  ['requests', 'settled_at'],
  ['ledger_legs', 'created_at'],
  ['runs', 'settled_at'],
  ['run_usage', 'settled_at'],
  ['usage_rollups', 'summed_until'],
  ['usage_hours', 'hour'],
] as const;

let refunds: (() => Promise<unknown>)[] = [];

async function settleCall(spender: Spender, nanos: bigint, more: object = {}) {
  const bill = billOf(spender, nanos, more);
  await db.ledger.settle(await db.ledger.hold(spender, nanos), bill);
  return bill;
}

/** The ledger's charges in a time range, independent of reports. */
async function chargedNanos({ accountId }: Spender, from: Date, to: Date): Promise<bigint> {
  const { rows } = await db.pool.query(
    `select -coalesce(sum(amount_nanos), 0) as nanos from ledger_entries
      where account_id = $1 and kind <> 'topup' and created_at >= $2 and created_at < $3`,
    [accountId, from, to],
  );
  return BigInt(rows[0].nanos as string);
}

const step = fc.tuple(
  fc.constantFrom(...(Object.keys(events) as (keyof typeof events)[])),
  fc.integer({ min: 1, max: 90_000 }),
);
const minutes = fc.integer({ min: -600, max: 10 });

test('usage of any time and by any group equals the ledger, whatever the history', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 30 }),
      fc.array(fc.tuple(minutes, minutes), { minLength: 3, maxLength: 3 }),
      async (history, ranges) => {
        refunds = [];
        const { spender } = await makeSpender(db, { balanceNanos: 1_000_000_000n });
        for (const [name, nanos] of history) await events[name](spender, nanos);
        for (const range of [...ranges, [-100_000, 100]]) {
          const [from, to] = range
            .toSorted((one, other) => one - other)
            .map((at) => new Date(Date.now() + at * 60_000));
          await expectExact(spender, from!, to!);
        }
        await expectExactDays(spender);
      },
    ),
    { numRuns: 12 },
  );
});

async function expectExact(spender: Spender, from: Date, to: Date): Promise<void> {
  const expected = await chargedNanos(spender, from, to);
  const rows = db.read(spender.workspaceId);
  const { rows: counted } = await db.pool.query(
    `select count(*)::int as requests, (count(*) filter (where status >= 400))::int as errors from requests
      where workspace_id = $1 and settled_at >= $2 and settled_at < $3`,
    [spender.workspaceId, from, to],
  );
  for (const groupBy of [
    ...USAGE_GROUPS.map((group) => [group]),
    ['day', 'model'],
    ['hour', 'meter'],
  ] as UsageGroup[][]) {
    const report = (await readUsageReport(rows, { groupBy, from, to }))!;
    const sum = report.rows.reduce((nanos, row) => nanos + BigInt(row.costNanos), 0n);
    expect({ groupBy, sum, total: BigInt(report.total.costNanos) }).toEqual({
      groupBy,
      sum: expected,
      total: expected,
    });
    expect(report.total.requests).toBe(counted[0].requests);
    if (groupBy.includes('meter')) continue;
    expect(report.rows.reduce((all, row) => all + row.requests, 0)).toBe(report.total.requests);
    expect(report.total.errors).toBeGreaterThanOrEqual(counted[0].errors as number);
  }
}

/** What is spent by day, from midnight two days ago. */
async function expectExactDays(spender: Spender): Promise<void> {
  const now = new Date();
  const from = new Date(now.toISOString().slice(0, 10));
  from.setUTCDate(from.getUTCDate() - 2);
  const expected = await chargedNanos(spender, from, new Date(now.getTime() + 3_600_000));
  const days = createSpendDays();
  for (const _ of ['read', 'remembered']) {
    const spent = await db.read(spender.workspaceId).transaction((tx) => days.read(tx, { from, now }));
    expect([...spent.values()].reduce((sum, nanos) => sum + nanos, 0n)).toBe(expected);
  }
}

test('reports read summed hours instead of their calls, and sum them again after a change', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  await events.correctedCall(spender, 300);
  for (const _ of [1, 2, 3]) await events.anHour(spender);
  await events.sumsOfHours();
  const hours = async () =>
    (await db.pool.query('select requests, cost_nanos from usage_hours where workspace_id = $1', [spender.workspaceId]))
      .rows;
  expect(await hours()).toEqual([{ requests: '1', cost_nanos: '500' }]);
  await events.laterChange();
  await events.sumsOfHours();
  await expectExact(spender, new Date(0), new Date(Date.now() + 60_000));
  const { rows } = await db.pool.query(
    `select summed_until > now() - interval '2 hours' as done from usage_rollups where workspace_id = $1`,
    [spender.workspaceId],
  );
  expect(rows).toEqual([{ done: true }]);
});

test('a run whose settlement waited, as over the end of a month, has one time in all reports', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const run = await makeRun(db, spender);
  await inTransaction(db.pool, async (client) => {
    // What a transaction writes has the time of its beginning.
    await client.query(
      `with began as (select now() - interval '2 minutes' as at), used as (
         insert into run_usage (run_id, meter, workspace_id, unit, quantity_thousandths, cost_nanos, settled_at)
         select $1, 'tool_calls', $2, 'call', 1000, 70, at from began)
       update runs set status = 'completed', subtotal_nanos = 70, total_nanos = 70, completed_at = at, settled_at = at from began where id = $1`,
      [run.id, spender.workspaceId],
    );
    const others = { networkFeeNanos: 0n, platformCostNanos: 0n, subsidyNanos: 0n, absorbedNanos: 0n };
    const settlement = { runId: run.id, holdId: run.holdId, subtotalNanos: 70n, ...others };
    await db.ledger.settleRun(client, { ...settlement, publisherWorkspaceId: spender.workspaceId });
  });
  const { rows } = await db.pool.query(
    `select r.settled_at = d.created_at as debited, r.settled_at = e.created_at as earned, r.settled_at = u.settled_at as metered
     from runs r join run_usage u on u.run_id = r.id join ledger_entries d on d.subject = r.id and d.kind = 'debit'
       join ledger_entries e on e.subject = r.id and e.kind = 'earning' where r.id = $1`,
    [run.id],
  );
  expect(rows).toEqual([{ debited: true, earned: true, metered: true }]);
  const { rows: entries } = await db.pool.query(
    'select created_at as at from ledger_legs where subject = $1 and leg = 1',
    [run.id],
  );
  const at: Date = entries[0].at;
  await expectExact(spender, new Date(at.getTime() - 60_000), at);
  await expectExact(spender, at, new Date(at.getTime() + 1));
});
