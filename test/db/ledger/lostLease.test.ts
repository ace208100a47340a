import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { takeHold } from '../../../db/ledger/holdRows.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { endProcesses, billOf, expectSoundLedger, makeSpender, openHoldsOf, untilHeld } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

let db: Database;
let other: Database;

const database = await makeDatabase();
beforeEach(async () => {
  [db, other] = [await openTestDatabase({ url: database.url }), await openTestDatabase({ url: database.url })];
});
afterEach(async () => {
  await expectSoundLedger(db);
  await Promise.all([db.close(), other.close()]);
});
afterAll(() => database.drop());

describe('a process that was paused for longer than its lease', () => {
  /** A stream with recorded progress; then every process counts as dead, and this one finds out. */
  async function losesItsLease(options: { balanceNanos: bigint; heldNanos: bigint; recordedNanos: bigint }) {
    const { spender, balance } = await makeSpender(db, { balanceNanos: options.balanceNanos });
    const stream = await db.ledger.hold(spender, options.heldNanos);
    const bill = billOf(spender, options.recordedNanos);
    db.ledger.follow(stream, bill.requestId, () => bill);
    const recorded = 'select from request_progress where request_id = $1';
    await until(async () => (await db.pool.query(recorded, [bill.requestId])).rowCount === 1);
    const { leaseId } = stream;
    // The next renewal is then a second away.
    const renewedAt = async () => {
      const { rows } = await db.pool.query('select renewed_at from processes where id = $1', [leaseId]);
      return (rows[0].renewed_at as Date).getTime();
    };
    const before = await renewedAt();
    await until(async () => (await renewedAt()) > before);
    await endProcesses(db);
    return { spender, balance, stream, bill, leaseId };
  }

  /** Another process takes all that is free before the paused one wakes. On a slow machine that may wake first: then it begins anew. */
  async function otherTakesAll() {
    for (;;) {
      const lost = await losesItsLease({ balanceNanos: 5_000n, heldNanos: 100n, recordedNanos: 60n });
      let count = 0;
      lost.stream.onLost = () => (count += 1);
      const all = await untilHeld(() => other.ledger.hold(lost.spender, 4_940n));
      if (all.amountNanos === 4_940n) return { lost, all, losses: () => count };
      await other.ledger.fail(all, { ...billOf(lost.spender, 0n), status: 502 });
      await db.ledger.fail(lost.stream, { ...lost.bill, status: 502 });
    }
  }

  test("holds its running calls again, and the final bill replaces the sweep's", async () => {
    const lost = await losesItsLease({ balanceNanos: 100_000n, heldNanos: 1_000n, recordedNanos: 300n });
    const { spender, balance, stream, bill, leaseId } = lost;
    expect(await balance()).toBe(99_700n);
    await until(() => stream.leaseId !== leaseId);
    expect(await stream.grow(2_000n)).toBe(2_000n);
    expect((await openHoldsOf(db, spender.accountId)).nanos).toBe(3_000n);
    expect(await db.ledger.settle(stream, { ...bill, costNanos: 2_900n })).toBe(2_900n);
    expect(await balance()).toBe(97_100n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
    expect(await db.ledger.settle(stream, { ...bill, costNanos: 2_900n })).toBe(2_900n);
    expect(await balance()).toBe(97_100n);
  });

  test('refunds what the sweep billed for a stream that fails later', async () => {
    const lost = await losesItsLease({ balanceNanos: 100_000n, heldNanos: 1_000n, recordedNanos: 300n });
    await until(() => lost.stream.leaseId !== lost.leaseId);
    await db.ledger.fail(lost.stream, { ...lost.bill, status: 502 });
    expect(await lost.balance()).toBe(100_000n);
  });

  test('finds out which calls can no longer be held, and spends nothing of an ended slice', async () => {
    const { lost, all, losses } = await otherTakesAll();
    const { spender, balance, stream, bill } = lost;
    await until(() => losses() === 1);
    expect(await stream.grow(10n)).toBe(0n);
    await other.ledger.settle(all, billOf(spender, 4_940n));
    await db.ledger.settle(stream, { ...bill, costNanos: 100n });
    expect(await balance()).toBe(0n);
  });

  test('places and grows no hold until its lease is renewed', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    const stream = await db.ledger.hold(spender, 1_000n);
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 16_000);
    await expect(db.ledger.hold(spender, 1n)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    now.mockRestore();
    await db.ledger.settle(stream, billOf(spender, 1n));
  });
});

test('money that a dead process holds is free for the next call after its lease', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
  const processId = await deadProcess();
  await holdAs(processId, spender, 1_000n);
  await db.pool.query(`update processes set lease_until = clock_timestamp() where id = $1`, [processId]);
  const hold = await db.ledger.hold(spender, 900n);
  expect(hold.amountNanos).toBe(900n);
  await db.ledger.settle(hold, billOf(spender, 900n));
  expect(await balance()).toBe(100n);
});

test('money that a dead process holds does not make the account empty', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const processId = await deadProcess();
  await holdAs(processId, spender, 1_000n);
  const sweeper = await db.pool.connect();
  await db.pool.query('update processes set lease_until = clock_timestamp() where id = $1', [processId]);
  // Another process is about to end it, slowly.
  await sweeper.query('begin');
  await sweeper.query('select from processes where id = $1 for update', [processId]);
  await expect(db.ledger.hold(spender, 900n)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
  await sweeper.query('rollback');
  sweeper.release();
  await db.ledger.reap();
});

async function deadProcess(): Promise<string> {
  const processId = newId('proc');
  await db.pool.query(`insert into processes (id, lease_until) values ($1, clock_timestamp() + interval '1 hour')`, [
    processId,
  ]);
  return processId;
}

async function holdAs(processId: string, { keyId }: Spender, nanos: bigint): Promise<void> {
  const order = { id: newId('hold'), processId, keyId, kind: 'request' as const };
  const { outcome } = await takeHold(db.pool, { ...order, wantNanos: nanos, needNanos: nanos });
  expect(outcome).toBe('granted');
}
