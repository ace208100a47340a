import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Pool } from 'pg';
import type { Database } from '../../../db/database.ts';
import { createHoldTaker } from '../../../db/ledger/holdRows.ts';
import { retire, type Slice } from '../../../db/ledger/slice.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { billOf, endProcesses, expectSoundLedger, makeSpender, openHoldsOf, untilHeld } from '../../support/ledger.ts';
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

async function progressOf(requestId: string): Promise<number> {
  const { rowCount } = await db.pool.query('select from request_progress where request_id = $1', [requestId]);
  return rowCount!;
}

describe('after the death of a process', () => {
  test('its streams are billed by their stored progress, and its other calls not at all', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const stream = await db.ledger.hold(spender, 1_000n);
    await db.ledger.hold(spender, 1_000n);
    const bill = billOf(spender, 300n);
    db.ledger.follow(stream, bill.requestId, () => bill);
    await until(async () => (await progressOf(bill.requestId)) === 1);
    expect(await endProcesses(db)).toMatchObject({ requestsSettled: 1 });
    expect(await balance()).toBe(99_700n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
    expect(await progressOf(bill.requestId)).toBe(0);
  });

  test('its streams are billed for what was counted before it was stored', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const stream = await db.ledger.hold(spender, 1_000n);
    const bill = billOf(spender, 0n);
    const count = async () => {
      await sleep(300);
      bill.costNanos = 300n;
    };
    db.ledger.follow(stream, bill.requestId, () => bill, { count });
    await until(async () => (await progressOf(bill.requestId)) === 1);
    await endProcesses(db);
    expect(await balance()).toBe(99_700n);
  });

  test('a count that exceeds a lease, or fails, does not prevent other progress from being stored', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const counts = [() => new Promise<void>(() => {}), () => Promise.reject(new Error('no table')), undefined];
    for (const count of counts) {
      const bill = billOf(spender, 100n);
      db.ledger.follow(await db.ledger.hold(spender, 1_000n), bill.requestId, () => bill, { ...(count && { count }) });
      await until(async () => (await progressOf(bill.requestId)) === 1);
    }
    await endProcesses(db);
    expect(await balance()).toBe(99_700n);
  });

  test("its final bill, when it wakes again, replaces the sweep's and is not added to it", async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const stream = await db.ledger.hold(spender, 1_000n);
    const bill = billOf(spender, 300n);
    db.ledger.follow(stream, bill.requestId, () => bill);
    await until(async () => (await progressOf(bill.requestId)) === 1);
    await endProcesses(db);
    await db.ledger.settle(stream, { ...bill, costNanos: 900n });
    expect(await balance()).toBe(99_100n);
  });

  test('calls that ended after all are billed from the free balance, and never more', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 250n });
    const holds = [await db.ledger.hold(spender, 100n), await db.ledger.hold(spender, 100n)];
    await endProcesses(db);
    const rival = await untilHeld(() => other.ledger.hold(spender, 100n));
    await Promise.all(holds.map((hold) => db.ledger.settle(hold, billOf(spender, 100n))));
    // Either the rival or the process that renewed its holds was first.
    expect(await balance()).toBe(rival.amountNanos);
    await other.ledger.settle(rival, billOf(spender, 100n));
    expect(await balance()).toBe(0n);
  });

  test('it serves again under a new lease', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const before = await db.ledger.hold(spender, 10n);
    await endProcesses(db);
    const hold = await untilHeld(() => db.ledger.hold(spender, 40_000n));
    await db.ledger.settle(before, billOf(spender, 10n));
    await db.ledger.settle(hold, billOf(spender, 40_000n));
    expect(await balance()).toBe(59_990n);
  });

  test('the sweep takes nothing from a healthy process', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100n });
    const hold = await db.ledger.hold(spender, 100n);
    await other.ledger.reap();
    expect(await other.ledger.reap()).toEqual({ processesReaped: 0, requestsSettled: 0, holdsReleased: 0 });
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 100n, count: 1 });
    await db.ledger.settle(hold, billOf(spender, 1n));
  });
});

describe('two processes on one account', () => {
  test('together spend exactly its balance, to the last nano-USD', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 50_000n });
    const spendAll = async (ledger: Database['ledger']) => {
      let spentNanos = 0n;
      for (;;) {
        const hold = await ledger.hold(spender, 700n).catch((error: { reason?: string }) => error.reason);
        if (hold === undefined || typeof hold === 'string') return spentNanos;
        const charge = await ledger.settle(hold, billOf(spender, 700n));
        spentNanos += charge;
      }
    };
    const spent = await Promise.all([db, db, other, other].map(({ ledger }) => spendAll(ledger)));
    expect(spent.reduce((sum, nanos) => sum + nanos)).toBe(50_000n);
    expect(await balance()).toBe(0n);
  });

  test('return free money when the other runs short', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    // A slice with a running call is not returned when idle.
    const small = await other.ledger.hold(spender, 100n);
    expect((await openHoldsOf(db, spender.accountId)).nanos).toBeGreaterThan(100n);
    const most = await db.ledger.hold(spender, 99_999n);
    await until(async () => (await openHoldsOf(db, spender.accountId)).nanos === 100n + most.amountNanos);
    await most.grow(99_900n - most.amountNanos);
    expect(most.amountNanos).toBe(99_900n);
    await db.ledger.settle(most, billOf(spender, 1n));
    await other.ledger.settle(small, billOf(spender, 0n));
  });
});

describe('when the answer to a statement is lost', () => {
  test('the hold that it placed is released', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { rows } = await db.pool.query('select id from processes where reaped_at is null limit 1');
    const processId = () => rows[0].id as string;
    const taker = createHoldTaker({ pool: deafOnce(db.pool), processId, endDead: async () => {}, onError: () => {} });
    const order = { keyId: spender.keyId, kind: 'request' as const, wantNanos: 900n, needNanos: 900n };
    await expect(taker.take(order)).rejects.toThrow('connection lost');
    expect((await openHoldsOf(db, spender.accountId)).nanos).toBe(900n);
    taker.tick();
    await until(async () => (await openHoldsOf(db, spender.accountId)).count === 0);
  });

  test('a hold whose statement reached the database after its caller gave up is released', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { rows } = await db.pool.query('select id from processes where reaped_at is null limit 1');
    const { pool, deliver } = lateOnce(db.pool);
    const taker = createHoldTaker({
      pool,
      processId: () => rows[0].id as string,
      endDead: async () => {},
      onError: () => {},
    });
    const order = { keyId: spender.keyId, kind: 'request' as const, wantNanos: 900n, needNanos: 900n };
    await expect(taker.take(order)).rejects.toThrow('connection lost');
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    taker.tick();
    await deliver();
    expect((await openHoldsOf(db, spender.accountId)).nanos).toBe(900n);
    now.mockRestore();
    await until(async () => {
      taker.tick();
      return (await openHoldsOf(db, spender.accountId)).count === 0;
    });
  });

  test('a hold placed under a lease that ended meanwhile is invalid', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { rows } = await db.pool.query('select id from processes where reaped_at is null limit 1');
    const ids = [rows[0].id as string, 'proc_next'];
    const taker = createHoldTaker({
      pool: db.pool,
      processId: () => ids.shift()!,
      endDead: async () => {},
      onError: () => {},
    });
    const order = { keyId: spender.keyId, kind: 'slice' as const, wantNanos: 90n, needNanos: 90n };
    await expect(taker.take(order)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    await endProcesses(db);
  });

  test('money of a slice is not returned twice', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    const hold = await db.ledger.hold(spender, 1_000n);
    const { nanos } = await openHoldsOf(db, spender.accountId);
    const owner = {
      spender,
      sureOfLease: async () => {},
      extend: async () => 0n,
      extendMoved: async () => 0n,
      onCallEnd: () => {},
    };
    const slice: Slice = {
      id: hold.id,
      owner,
      freeNanos: 500n,
      openCalls: 1,
      endsAtMs: Infinity,
      retired: false,
      lost: false,
    };
    await expect(retire(slice, deafOnce(db.pool))).rejects.toThrow('connection lost');
    await retire(slice, db.pool);
    expect((await openHoldsOf(db, spender.accountId)).nanos).toBe(nanos - 500n);
    await retire({ ...slice, openCalls: 0 }, db.pool);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
  });
});

/** A pool whose first statement runs, but whose answer is lost. */
function deafOnce(pool: Pool): Pool {
  let deaf = true;
  const query = async (...args: unknown[]) => {
    const result: unknown = await (pool.query as (...args: unknown[]) => Promise<unknown>).apply(pool, args);
    if (!deaf) return result;
    deaf = false;
    throw new Error('connection lost');
  };
  return { query } as unknown as Pool;
}

/** A pool whose first statement times out, and is delivered when the test decides. */
function lateOnce(pool: Pool) {
  const query = (...args: unknown[]): Promise<unknown> =>
    (pool.query as (...args: unknown[]) => Promise<unknown>).apply(pool, args);
  let first: unknown[] | undefined;
  const late = async (...args: unknown[]) => {
    if (first) return query(...args);
    first = args;
    throw new Error('connection lost');
  };
  return { pool: { query: late } as unknown as Pool, deliver: () => query(...first!) };
}
