import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { sumHoursOfAll } from '../../../db/accounting/usageCells.ts';
import { readUsageReport } from '../../../db/accounting/usageReport.ts';
import { readAccountStatement } from '../../../db/accounting/statement.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { pruneUnbilled } from '../../../db/ledger/retention.ts';
import { pruneClientSecrets } from '../../../db/keys/clientSecrets.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { billOf, makeSpender, settleAgain } from '../../support/ledger.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { lateSettlement } from './lateSettlement.ts';

const KEPT_DAYS = 90;

const db = await setTestDatabase();
const owner = new Client(ownerUrlOf(db.url));
await owner.connect();
// Entries are moved back in time.
await owner.query('alter table ledger_legs disable trigger user; alter table requests disable trigger user');
afterAll(async () => {
  await owner.end();
  await db.close();
});

const call = async (spender: Spender, nanos: bigint) => {
  const bill = billOf(spender, nanos);
  await db.ledger.settle(await db.ledger.hold(spender, 500n), bill);
  return bill.requestId;
};
const failedCall = async (spender: Spender) => {
  const bill = billOf(spender, 0n, { status: 502 });
  await db.ledger.fail(await db.ledger.hold(spender, 500n), bill);
  return bill.requestId;
};

/** Calls of each kind, and a run. */
async function spend(spender: Spender) {
  const billed = await call(spender, 300n);
  const free = await call(spender, 0n);
  const failed = await failedCall(spender);
  const refunded = await call(spender, 200n);
  const provisional = lateSettlement(billOf(spender, 0n), { hold: 'none', cost: 0n, charge: 0n });
  await settleAgain(db, { ...provisional, provisional: true } as never);
  await db.ledger.posted();
  await db.pool.query('select ledger_refund($1, $2, 503)', [refunded, 'none']);
  const run = await makeRun(db, spender, { maxCostNanos: 1_000n });
  await finishTestRun(db, run, { subtotalNanos: 400n, networkFeeNanos: 40n });
  return { billed, free, failed, refunded, provisional };
}

/** Moves all of a workspace's records back in time. */
async function moveBack(workspaceId: string, days: number): Promise<void> {
  for (const [table, time] of TIMES)
    await owner.query(
      `update ${table} set ${time} = ${time} - $2 * interval '1 day' where workspace_id = $1 and ${time} is not null`,
      [workspaceId, days],
    );
}
const TIMES = [
  ['requests', 'settled_at'],
  ['ledger_legs', 'created_at'],
  ['runs', 'settled_at'],
  ['run_usage', 'settled_at'],
  ['holds', 'ended_at'],
] as const;

const idsOf = async (workspaceId: string) =>
  (await db.pool.query('select id from requests where workspace_id = $1', [workspaceId])).rows.map(({ id }) => id);

/** The pruned rows, and the violations of the ledger's rules before and after: moved entries violate some, pruning adds none. */
async function prune() {
  await db.ledger.posted();
  const before = (await checkInvariants(db.pool)).violations;
  const pruned = await pruneUnbilled(db.pool, KEPT_DAYS);
  expect((await checkInvariants(db.pool)).violations).toEqual(before);
  return pruned;
}

async function sumsOf({ workspaceId, accountId }: Spender) {
  const rows = db.read(workspaceId);
  const usage = await readUsageReport(rows, { groupBy: ['model', 'key'], from: new Date(0), to: new Date() });
  const months = [0, 91, 100].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 7));
  const statements = await Promise.all(months.map((month) => readAccountStatement(rows, { accountId, month })));
  return { usage, statements, balance: await db.ledger.balanceOf(workspaceId) };
}

test('what billed nothing is deleted when it is old, and no sum changes', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const { workspaceId } = spender;
  const { billed, refunded, provisional } = await spend(spender);
  await moveBack(workspaceId, KEPT_DAYS + 10);
  const recent = [await call(spender, 0n), await failedCall(spender)];
  await db.ledger.posted();
  // Its hours are not summed yet.
  expect((await prune()).calls).toBe(0);
  expect(await sumHoursOfAll(db, { budgetMs: 0 })).toBe(0);
  expect(await sumHoursOfAll(db)).toBeGreaterThan(0);
  const before = await sumsOf(spender);
  expect((await prune()).calls).toBe(2);
  expect(new Set(await idsOf(workspaceId))).toEqual(new Set([billed, refunded, provisional.id, ...recent]));
  expect(await sumsOf(spender)).toEqual(before);
  expect((await prune()).calls).toBe(0);

  // The provisional bill of long ago is replaced: the hours of deleted calls keep their sums, the change counts now.
  await settleAgain(db, { ...provisional, cost: 70, charge: 70 });
  await sumHoursOfAll(db);
  const after = await sumsOf(spender);
  const nanosOf = ({ usage }: typeof before) => BigInt(usage!.total.costNanos);
  expect(after.usage!.total.requests).toBe(before.usage!.total.requests);
  expect(nanosOf(after) - nanosOf(before)).toBe(70n);
});

test('ended holds of calls are deleted, those of runs and open ones stay', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const { workspaceId } = spender;
  await spend(spender);
  const other = await makeSpender(db, { balanceNanos: 100n });
  const open = await db.ledger.hold(spender, 100n);
  await owner.query(
    `insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, state, day, ended_at)
    select 'hold_old' || n, $1, $2, $3, 'gone', 'slice', 0, 'released', current_date, now() from generate_series(1, 3) n`,
    [workspaceId, spender.accountId, spender.keyId],
  );
  await moveBack(workspaceId, KEPT_DAYS + 10);
  await owner.query(
    `insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, state, day, ended_at)
    values ('hold_new', $1, $2, $3, 'gone', 'slice', 0, 'released', current_date, now() - interval '89 days')`,
    [other.spender.workspaceId, other.spender.accountId, other.spender.keyId],
  );
  const { holds } = await prune();
  expect(holds).toBeGreaterThanOrEqual(3);
  const { rows } = await db.pool.query(
    `select kind, state, count(*)::int as count from holds where workspace_id = any ($1) and kind <> 'request' group by 1, 2 order by 1, 2`,
    [[workspaceId, other.spender.workspaceId]],
  );
  expect(rows).toEqual(
    expect.arrayContaining([
      { kind: 'run', state: 'settled', count: 1 },
      { kind: 'slice', state: 'released', count: 1 },
    ]),
  );
  await db.ledger.settle(open, billOf(spender, 100n));
});

test('a process is deleted long after it ended, when nothing of it is left', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 100n });
  await owner.query(
    `insert into processes (id, lease_until, reaped_at) select 'process_' || name, now(), now() - days * interval '1 day'
    from (values ('old', 100), ('young', 89), ('refused', 100)) p(name, days)`,
  );
  await owner.query(
    `insert into settlement_batches (id, process_id, settlements, refusal) values ('refused', 'process_refused', '{}', 'a reason')`,
  );
  expect((await prune()).processes).toBe(1);
  const { rows } = await db.pool.query(`select id from processes where id like 'process\\_%' order by id`);
  expect(rows.map(({ id }) => id)).toEqual(['process_refused', 'process_young']);
  await owner.query(`delete from settlement_batches where id = 'refused'`);
  await call(spender, 10n);
});

test.each(['requests', 'holds'])(
  'the database lets the platform delete nothing of %s that a bill needs',
  async (table) => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
    const { billed, refunded } = await spend(spender);
    const open = await db.ledger.hold(spender, 100n);
    await db.pool.query(`delete from ${table} where workspace_id = $1`, [spender.workspaceId]);
    await db.ledger.settle(open, billOf(spender, 100n));
    expect(await idsOf(spender.workspaceId)).toEqual(expect.arrayContaining([billed, refunded]));
  },
);

test('client secrets of a long pause are deleted in portions: one statement for all would reach its time limit', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 100n });
  const made = `insert into client_secrets (id, workspace_id, key_id, hash, session, expires_at)
    select 'old_' || i, $1, $2, sha256(i::text::bytea), '{}', now() - interval '2 days' from generate_series(1, 5001) i`;
  await db.pool.query(made, [spender.workspaceId, spender.keyId]);
  const slow = `
    create function pg_temp.slow() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 5000 then raise exception 'too many rows of one statement'; end if;
      return null;
    end $$;`;
  await owner.query(`${slow} create trigger slow after delete on client_secrets referencing old table as gone
    for each statement execute function pg_temp.slow()`);
  try {
    expect(await pruneClientSecrets(db.everywhere)).toBe(5001);
  } finally {
    await owner.query('drop trigger slow on client_secrets');
  }
});
