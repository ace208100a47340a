import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { takeHold } from '../../../db/ledger/holdRows.ts';
import { billOf, makeSpender, openLedger, openHoldsOf } from '../../support/ledger.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { until } from '../../support/until.ts';

const db = await openLedger();

describe('a call', () => {
  test('is charged its cost, and the rest of its hold is free again', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const hold = await db.ledger.hold(spender, 400n);
    expect(await db.ledger.settle(hold, billOf(spender, 150n))).toBe(150n);
    expect(await balance()).toBe(850n);
    const all = await db.ledger.hold(spender, 850n);
    expect(all.amountNanos).toBe(850n);
    await db.ledger.settle(all, billOf(spender, 850n));
    expect(await balance()).toBe(0n);
  });

  test('that failed is charged nothing', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const bill = billOf(spender, 300n, { status: 502 });
    await db.ledger.fail(await db.ledger.hold(spender, 300n), bill);
    await db.ledger.posted();
    expect(await requestOf(bill.requestId)).toMatchObject({ status: 502, cost_nanos: '0', written_off_nanos: '0' });
    expect(await balance()).toBe(1_000n);
  });

  test('that cost more than its hold is charged the hold; the rest is written off', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100n });
    const bill = billOf(spender, 130n);
    const hold = await db.ledger.hold(spender, 100n);
    expect(await db.ledger.settle(hold, bill)).toBe(100n);
    expect(await balance()).toBe(0n);
    expect(await requestOf(bill.requestId)).toMatchObject({ cost_nanos: '100', written_off_nanos: '30' });
  });

  test('is billed once, however often its settlement is retried', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const bill = billOf(spender, 70n);
    const charges = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      charges.push(await db.ledger.settle(await db.ledger.hold(spender, 100n), bill));
    expect(charges).toEqual([70n, 70n, 70n]);
    expect(await balance()).toBe(930n);
  });

  test('frees its hold once, however often it is ended', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    const hold = await db.ledger.hold(spender, 1_000n);
    await db.ledger.settle(hold, billOf(spender, 1_000n));
    hold.end(0n);
    hold.end(0n);
    const { nanos } = await openHoldsOf(db, spender.accountId);
    await db.ledger.freeSlices(spender.accountId);
    expect(nanos).toBeGreaterThan(0n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
  });
});

describe('a hold', () => {
  test('grows while money is free, and by nothing otherwise', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const hold = await db.ledger.hold(spender, 600n);
    expect(await hold.grow(300n)).toBe(300n);
    expect(await hold.grow(300n)).toBe(100n);
    expect(await hold.grow(300n)).toBe(0n);
    expect(hold.amountNanos).toBe(1_000n);
    await db.ledger.settle(hold, billOf(spender, 1_000n));
    expect(await balance()).toBe(0n);
  });

  test('may be smaller than requested, but only one of an account at a time', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 150n });
    const whole = await db.ledger.hold(spender, 100n);
    const partial = await db.ledger.hold(spender, 100n);
    expect([whole.partial, partial.partial, partial.amountNanos]).toEqual([false, true, 50n]);
    await db.ledger.settle(whole, billOf(spender, 20n));
    await expect(db.ledger.hold(spender, 100n)).rejects.toMatchObject({ name: 'HoldRefused', reason: 'held' });
    await db.ledger.settle(partial, billOf(spender, 30n));
    const next = await db.ledger.hold(spender, 100n);
    expect(next.amountNanos).toBe(100n);
    await db.ledger.settle(next, billOf(spender, 0n));
  });

  test('near the last cent finds the money that the previous call released, however soon it comes', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 200n });
    const first = await db.ledger.hold(spender, 170n);
    // On disk, but not yet posted: the answer was sent, and the next call arrives at once.
    await db.ledger.settleWithin(5_000, first, billOf(spender, 100n));
    const next = await db.ledger.hold(spender, 90n);
    expect([next.amountNanos, next.partial]).toEqual([90n, false]);
    await db.ledger.settle(next, billOf(spender, 90n));
  });

  test('near the last cent finds the money of a call that failed just before it', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 200n });
    for (let round = 0; round < 10; round += 1) {
      // Not even on disk when the next call arrives.
      void db.ledger.fail(await db.ledger.hold(spender, 170n), billOf(spender, 0n, { status: 502 }));
      const next = await db.ledger.hold(spender, 90n);
      expect([next.amountNanos, next.partial]).toEqual([90n, false]);
      await db.ledger.settle(next, billOf(spender, 0n));
    }
  });

  test('is placed as soon as a settlement frees money, without an earlier refusal', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100n });
    const first = await db.ledger.hold(spender, 100n);
    const waiting = db.ledger.hold(spender, 90n);
    await db.ledger.settle(first, billOf(spender, 10n));
    const second = await waiting;
    expect(second.amountNanos).toBe(90n);
    await db.ledger.settle(second, billOf(spender, 90n));
  });

  // Without a lock both would read the same free money, in whatever moment that is.
  test('waits for another one of the account that is being taken, and does not find its money', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const processId = newId('proc');
    await db.pool.query(`insert into processes (id, lease_until) values ($1, now() + interval '1 hour')`, [processId]);
    const hold = { processId, keyId: spender.keyId, kind: 'request' as const, wantNanos: 1_000n, needNanos: 1_000n };
    const first = newId('hold');
    const taking = await db.pool.connect();
    await taking.query('begin');
    expect(await takeHold(taking, { ...hold, id: first })).toMatchObject({ outcome: 'granted' });
    let outcome: string | undefined;
    const second = takeHold(db.pool, { ...hold, id: newId('hold') }).then((answer) => ({ outcome } = answer));
    await until(async () => outcome !== undefined || (await countLockWaits(db)) !== 0);
    await taking.query('commit');
    taking.release();
    await second;
    expect(outcome).toBe('held');
    await db.pool.query('select ledger_give_back($1, 0, true)', [first]);
  });

  test('that was settled is not released afterwards', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    await db.ledger.settle(await db.ledger.hold(spender, 1_000n), billOf(spender, 400n));
    await db.ledger.posted();
    const read = async () =>
      (await db.pool.query('select id, state, ended_at from holds where account_id = $1', [spender.accountId])).rows;
    const before = await read();
    expect(before).toMatchObject([{ state: 'settled' }]);
    await db.pool.query('select ledger_give_back($1, 0, true)', [before[0].id]);
    expect(await read()).toEqual(before);
  });

  test('is refused for an empty account and for a revoked key, and reserves nothing', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 0n });
    await expect(db.ledger.hold(spender, 1n)).rejects.toMatchObject({ reason: 'balance' });
    const revoked = await makeSpender(db, { balanceNanos: 10n });
    await db.pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.spender.keyId]);
    await expect(db.ledger.hold(revoked.spender, 1n)).rejects.toMatchObject({ reason: 'revoked' });
    expect((await openHoldsOf(db, revoked.spender.accountId)).count).toBe(0);
  });
});

test('a busy key counts exactly while its slice grows: nothing is spent twice', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 10_000_000n });
  let chargedNanos = 0n;
  await Promise.all(
    Array.from({ length: 64 }, async (_, client) => {
      for (let call = 0; call < 20; call += 1) {
        const hold = await db.ledger.hold(spender, 1_000n);
        const charge = await db.ledger.settle(hold, billOf(spender, BigInt(900 + ((client + call) % 100))));
        chargedNanos += charge;
      }
    }),
  );
  expect(await balance()).toBe(10_000_000n - chargedNanos);
  await db.ledger.freeSlices(spender.accountId);
  expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
});

test('a long stream does not take the money that short calls released', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
  const stream = await db.ledger.hold(spender, 100n);
  const short = await db.ledger.hold(spender, 2_000n).then(async (hold) => {
    await db.ledger.freeSlices(spender.accountId);
    return hold;
  });
  await db.ledger.settle(short, billOf(spender, 1n));
  await until(async () => (await openHoldsOf(db, spender.accountId)).nanos === 100n);
  const rest = await db.ledger.hold(spender, 99_899n);
  expect(rest.amountNanos).toBe(99_899n);
  await db.ledger.settle(rest, billOf(spender, 0n));
  await db.ledger.settle(stream, billOf(spender, 100n));
  await until(async () => (await openHoldsOf(db, spender.accountId)).count === 0);
});

test('concurrent streams that outgrow their slice get exactly what is added', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const holds = await Promise.all(Array.from({ length: 20 }, () => db.ledger.hold(spender, 1_000n)));
  await Promise.all(holds.map((hold) => hold.grow(30_000n)));
  const heldNanos = holds.reduce((sum, hold) => sum + hold.amountNanos, 0n);
  expect(heldNanos).toBe(620_000n);
  await Promise.all(holds.map((hold) => db.ledger.settle(hold, billOf(spender, hold.amountNanos))));
  expect(await balance()).toBe(380_000n);
});

async function requestOf(id: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await db.pool.query('select status, cost_nanos, written_off_nanos from requests where id = $1', [
    id,
  ]);
  return rows[0];
}
