import { afterAll, describe, expect, test } from '@jest/globals';
import type { Person } from '../../../db/workspaces/secondPerson.ts';
import { readStatement } from '../../../db/publishing/statement.ts';
import { presentPayout } from '../../../api/publisher/payouts.ts';
import { newId } from '../../../db/ids.ts';
import { endPayout, requestPayout, type PayoutRow } from '../../../db/payments/payouts.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { seededRandom } from '../../support/random.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase();
const caller = await makeAccount(db, { creditUsd: '1000' });
afterAll(async () => {
  await expectSoundLedger(db);
  await db.close();
});

const personOf = (personId: string): Person => ({
  personId,
  isKnown: true,
  name: personId,
  keyId: null,
  requestId: 'req_1',
});
const [ada, olga] = [personOf('ada'), personOf('olga')];

/** A publisher whose agent has earned this much. */
async function makePublisher(earnedNanos: bigint): Promise<string> {
  const { workspaceId } = await makeAccount(db, { creditUsd: '0' });
  await earn(workspaceId, earnedNanos);
  return workspaceId;
}

async function earn(publisherWorkspaceId: string, subtotalNanos: bigint, by = caller): Promise<void> {
  const run = await makeRun(db, by, { maxCostNanos: subtotalNanos, publisherWorkspaceId });
  await finishTestRun(db, run, { subtotalNanos });
}

const pay = (
  workspaceId: string,
  amountNanos: bigint | null,
  destination: 'balance' | 'transfer' = 'balance',
  id = newId('po'),
) => requestPayout(db.write(workspaceId), { id, amountNanos, destination, by: ada, matureDays: 0 });

async function earningsOf(workspaceId: string): Promise<bigint> {
  const { rows } = await db.pool.query(
    `select coalesce(sum(amount_nanos), 0) as nanos from ledger_entries where account_id = $1`,
    [`payable_${workspaceId}`],
  );
  return BigInt(rows[0].nanos);
}

const paid = (all: (PayoutRow | undefined)[]) => all.filter((one) => one !== undefined);

test('earnings are paid to the balance in one transaction, all of them without an amount', async () => {
  const workspaceId = await makePublisher(1_000n);
  expect(await pay(workspaceId, 400n)).toMatchObject({ status: 'paid', amountNanos: 400n });
  expect([await balanceOf(db, workspaceId), await earningsOf(workspaceId)]).toEqual([400n, 600n]);
  expect(await pay(workspaceId, null)).toMatchObject({ amountNanos: 600n });
  expect([await balanceOf(db, workspaceId), await earningsOf(workspaceId)]).toEqual([1_000n, 0n]);
});

test('a payout that waited for the balance ended when it was credited: both are of one month', async () => {
  const workspaceId = await makePublisher(1_000n);
  const client = await db.pool.connect();
  await client.query('begin');
  await client.query('select from accounts where workspace_id = $1 for update', [workspaceId]);
  const waiting = pay(workspaceId, null);
  await until(async () => (await countLockWaits(db)) > 0);
  await client.query('commit');
  client.release();
  const { rows } = await db.pool.query(`select created_at from ledger_entries where kind = 'payout' and subject = $1`, [
    (await waiting)!.id,
  ]);
  const [{ created_at: creditedAt }] = rows as [{ created_at: Date }];
  expect(presentPayout((await waiting)!).ended_at).toBe(creditedAt.toISOString());
});

test('more than was earned, or nothing, is not paid', async () => {
  const workspaceId = await makePublisher(1_000n);
  expect(await pay(workspaceId, 1_001n)).toBeUndefined();
  const stranger = (await makeAccount(db, { creditUsd: '1' })).workspaceId;
  expect([await pay(stranger, null), await pay(stranger, 1n, 'transfer')]).toEqual([undefined, undefined]);
  expect(await earningsOf(workspaceId)).toBe(1_000n);
});

test('concurrent requests with one id pay once', async () => {
  const workspaceId = await makePublisher(1_000n);
  const id = newId('po');
  const all = await Promise.all(Array.from({ length: 8 }, () => pay(workspaceId, 300n, 'balance', id)));
  expect(new Set(all.map((one) => one?.id))).toEqual(new Set([id]));
  expect([await balanceOf(db, workspaceId), await earningsOf(workspaceId)]).toEqual([300n, 700n]);
});

test('of two concurrent payouts of all earnings one is paid', async () => {
  for (const other of ['balance', 'transfer'] as const) {
    const workspaceId = await makePublisher(1_000n);
    const all = await Promise.all([pay(workspaceId, 1_000n), pay(workspaceId, 1_000n, other)]);
    expect(paid(all)).toHaveLength(1);
    expect(await earningsOf(workspaceId)).toBe(0n);
  }
});

test('any mix of concurrent payouts and settling runs never takes more than was earned', async () => {
  const random = seededRandom(7);
  for (let round = 0; round < 5; round += 1) {
    const workspaceId = await makePublisher(1_000n);
    const amounts = Array.from({ length: 10 }, () => BigInt(1 + Math.floor(random() * 400)));
    const orders = amounts.map((amountNanos) => pay(workspaceId, amountNanos, random() < 0.5 ? 'balance' : 'transfer'));
    const [all] = await Promise.all([Promise.all(orders), earn(workspaceId, 200n)]);
    const sum = paid(all).reduce((total, { amountNanos }) => total + amountNanos, 0n);
    expect(sum).toBeLessThanOrEqual(1_200n);
    expect(await earningsOf(workspaceId)).toBe(1_200n - sum);
    // The refused amounts would not have fitted in any order.
    const refused = amounts.filter((_, at) => all[at] === undefined);
    expect(refused.every((amount) => amount > 1_000n - sum)).toBe(true);
  }
});

describe('a transfer', () => {
  const send = (id: string, by = olga) => endPayout(db.everywhere, id, { status: 'sent', reference: 'SEPA 1', by });
  const reject = (id: string) =>
    endPayout(db.everywhere, id, { status: 'rejected', reason: 'No such account.', by: olga });

  test('is set aside, and leaves the platform when another person confirms it', async () => {
    const workspaceId = await makePublisher(1_000n);
    const { id } = (await pay(workspaceId, 700n, 'transfer'))!;
    expect([await balanceOf(db, workspaceId), await earningsOf(workspaceId)]).toEqual([0n, 300n]);
    expect(await send(id, ada)).toBe('same_person');
    expect(await send(id, { ...olga, isKnown: false })).toBe('unknown_person');
    expect(await send(id)).toMatchObject({ status: 'sent', reference: 'SEPA 1', decider: 'olga' });
    expect(await earningsOf(workspaceId)).toBe(300n);
    const { rows } = await db.pool.query('select type from platform_events where resource_id = $1', [id]);
    expect(rows).toEqual([{ type: 'payout.sent' }]);
  });

  test('that is rejected returns its money', async () => {
    const workspaceId = await makePublisher(1_000n);
    const { id } = (await pay(workspaceId, 700n, 'transfer'))!;
    expect(await reject(id)).toMatchObject({ status: 'rejected', reason: 'No such account.' });
    expect(await earningsOf(workspaceId)).toBe(1_000n);
    expect(await pay(workspaceId, null)).toMatchObject({ amountNanos: 1_000n });
  });

  test('is owed until it is sent: the statement says so, to the nano-dollar', async () => {
    const workspaceId = await makePublisher(1_003n);
    await earn(workspaceId, 250_000_007n);
    // A test run earns nothing.
    await earn(workspaceId, 29n, await makeAccount(db, { isTest: true }));
    await pay(workspaceId, 101n);
    const [sent, rejected, requested] = [
      (await pay(workspaceId, 77_000_013n, 'transfer'))!,
      (await pay(workspaceId, 19n, 'transfer'))!,
      (await pay(workspaceId, 23n, 'transfer'))!,
    ];
    await send(sent.id);
    await reject(rejected.id);
    const of = (month: string) => readStatement(db.write(workspaceId), month, { matureDays: 0 });
    const { rows } = await db.pool.query(`select to_char(now() at time zone 'utc', 'YYYY-MM') as month`);
    const { paidOut, ...month } = await of(rows[0].month);
    expect(paidOut.map(({ destination, reference, amountNanos }) => [destination, reference, amountNanos])).toEqual([
      ['balance', null, 101n],
      ['transfer', 'SEPA 1', 77_000_013n],
    ]);
    const owedNanos = 1_003n + 250_000_007n - 101n - 77_000_013n;
    expect(month).toMatchObject({ openingNanos: 0n, closingNanos: owedNanos, balanceNanos: 250_001_010n });
    expect(month.lines.map(({ runs, earnedNanos }) => [runs, earnedNanos])).toEqual([[2, 250_001_010n]]);
    expect(month.payable.toBalanceNanos).toBe(await earningsOf(workspaceId));
    expect(month.payable.toBalanceNanos + requested.amountNanos).toBe(owedNanos);
    expect(month.maturingNanos).toBe(0n);
    expect(await of('2020-01')).toMatchObject({ openingNanos: 0n, closingNanos: 0n });
    expect(await of('2999-12')).toMatchObject({ openingNanos: owedNanos, closingNanos: owedNanos, lines: [] });
  });

  test('ends once, whatever is decided at the same time', async () => {
    const workspaceId = await makePublisher(1_000n);
    const { id } = (await pay(workspaceId, 700n, 'transfer'))!;
    const all = await Promise.all([send(id), reject(id), send(id), reject(id)]);
    expect(all.filter((one) => one === 'ended')).toHaveLength(3);
    const { id: other } = (await pay(workspaceId, 300n))!;
    expect([await send(other), await reject('po_none')]).toEqual(['ended', 'not_found']);
  });
});
