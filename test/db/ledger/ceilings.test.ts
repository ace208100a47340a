import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { findKeyState } from '../../../db/keys/keyState.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { ownDatabaseClock } from '../../support/ownClock.ts';
import { billOf, expectSoundLedger, makeSpender, openHoldsOf, spentByDay } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

const midnight = "date_trunc('day', pg_catalog.now())";

const database = await makeDatabase();
const clock = await ownDatabaseClock(database.url);
const db = await openTestDatabase({ url: database.url });
afterEach(async () => {
  await clock.set('pg_catalog.now()');
  await expectSoundLedger(db);
});
afterAll(async () => {
  await db.close();
  await clock.end();
  await database.drop();
});

async function spend(spender: Spender, nanos: bigint): Promise<bigint> {
  return db.ledger.settle(await db.ledger.hold(spender, nanos), billOf(spender, nanos));
}

describe('a ceiling', () => {
  test('stops its key although the account has money, and another key continues', async () => {
    const { spender } = await makeSpender(db, { spendLimitNanos: 500n, spendLimitPeriod: 'daily' });
    const { id } = await createKey(db.everywhere, {
      workspaceId: spender.workspaceId,
      name: 'second',
      scopes: ['llm'],
    });
    await spend(spender, 500n);
    await expect(db.ledger.hold(spender, 1n)).rejects.toMatchObject({ reason: 'ceiling' });
    expect(await spend({ ...spender, keyId: id }, 400n)).toBe(400n);
  });

  test('is shared by running calls: what they hold is not given twice', async () => {
    const { spender } = await makeSpender(db, { spendLimitNanos: 1_000n, spendLimitPeriod: 'daily' });
    const holds = await Promise.all([1, 2, 3].map(() => db.ledger.hold(spender, 300n)));
    const last = await db.ledger.hold(spender, 300n);
    expect([last.amountNanos, last.partial]).toEqual([100n, true]);
    await expect(db.ledger.hold(spender, 300n)).rejects.toMatchObject({ reason: 'held' });
    for (const hold of [...holds, last]) await db.ledger.settle(hold, billOf(spender, hold.amountNanos));
    expect(await spentByDay(db, spender.keyId)).toEqual([1_000n]);
  });

  test('of a day resets at midnight', async () => {
    await clock.set(`${midnight} - interval '1 hour'`);
    const { spender } = await makeSpender(db, { spendLimitNanos: 500n, spendLimitPeriod: 'daily' });
    await spend(spender, 500n);
    await expect(db.ledger.hold(spender, 1n)).rejects.toMatchObject({ reason: 'ceiling' });
    await clock.set(midnight);
    expect(await spend(spender, 500n)).toBe(500n);
    expect(await spentByDay(db, spender.keyId)).toEqual([500n, 500n]);
  });

  test('of a month outlasts a day, and resets with the next month', async () => {
    const { spender } = await makeSpender(db, { spendLimitNanos: 500n, spendLimitPeriod: 'monthly' });
    await spend(spender, 500n);
    await clock.set(`date_trunc('month', pg_catalog.now()) + interval '1 month' - interval '1 minute'`);
    expect((await findKeyState(db.pool, spender.keyId)).keyLeftNanos).toBe(0n);
    await clock.set(`date_trunc('month', pg_catalog.now()) + interval '1 month'`);
    expect((await findKeyState(db.pool, spender.keyId)).keyLeftNanos).toBe(500n);
  });

  test('counts money that a slice reserves for later calls as free', async () => {
    const { spender } = await makeSpender(db, {
      balanceNanos: 1_000_000n,
      spendLimitNanos: 500_000n,
      spendLimitPeriod: 'daily',
    });
    const hold = await db.ledger.hold(spender, 1_000n);
    expect((await openHoldsOf(db, spender.accountId)).nanos).toBeGreaterThan(10_000n);
    const isFree = async (availableNanos: bigint, keyFreeNanos: bigint) => {
      const state = await findKeyState(db.pool, spender.keyId);
      return state.availableNanos === availableNanos && state.keyFreeNanos === keyFreeNanos;
    };
    await until(() => isFree(999_000n, 499_000n));
    await db.ledger.fail(hold, { ...billOf(spender, 0n), status: 502 });
    await until(() => isFree(1_000_000n, 500_000n));
  });

  test('without a period never resets', async () => {
    const { spender } = await makeSpender(db, { spendLimitNanos: 500n, spendLimitPeriod: null });
    await spend(spender, 500n);
    await clock.set(`pg_catalog.now() + interval '400 days'`);
    await expect(db.ledger.hold(spender, 1n)).rejects.toMatchObject({ reason: 'ceiling' });
  });
});

describe('at midnight', () => {
  test("a process stops spending for yesterday, by the database's clock, and loses nothing", async () => {
    const { spender } = await makeSpender(db, { spendLimitNanos: 1_000_000n, spendLimitPeriod: 'daily' });
    // Enough time to place the hold yesterday.
    await clock.set(`${midnight} - interval '3 s'`);
    const running = await db.ledger.hold(spender, 1_000n);
    await until(isNewDay);
    await spend(spender, 2_000n);
    await db.ledger.settle(running, billOf(spender, 1_000n));
    expect(await spentByDay(db, spender.keyId)).toEqual([1_000n, 2_000n]);
    await db.ledger.freeSlices(spender.accountId);
    await until(async () => (await openHoldsOf(db, spender.accountId)).count === 0);
  });

  test("a running stream grows within its own day's limit, not the next day's", async () => {
    await clock.set(`${midnight} - interval '1 hour'`);
    const { spender } = await makeSpender(db, { spendLimitNanos: 1_000n, spendLimitPeriod: 'daily' });
    const stream = await db.ledger.hold(spender, 700n);
    await clock.set(midnight);
    expect(await stream.grow(900n)).toBe(300n);
    await db.ledger.settle(stream, billOf(spender, 1_000n));
    expect(await spend(spender, 1_000n)).toBe(1_000n);
    expect(await spentByDay(db, spender.keyId)).toEqual([1_000n, 1_000n]);
  });
});

/** Whether the database's clock has passed midnight, by the test's offset. */
async function isNewDay(): Promise<boolean> {
  const { rows } = await db.pool.query(`select now() >= ${midnight} as new`);
  return rows[0].new as boolean;
}
