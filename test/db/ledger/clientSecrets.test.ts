import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { createClientSecret, findClientSecret, type OpenSecret } from '../../../db/keys/clientSecrets.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { takeHold } from '../../../db/ledger/holdRows.ts';
import { settlementOf } from '../../../db/ledger/settlement.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender, settleAgain } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

const database = await makeDatabase();
const [db, other] = [await openTestDatabase({ url: database.url }), await openTestDatabase({ url: database.url })];
afterEach(() => expectSoundLedger(db));
afterAll(async () => {
  await Promise.all([db.close(), other.close()]);
  await database.drop();
});

const BALANCE_NANOS = 1_000_000_000n;

/** A spender with a client secret of this limit. */
async function makeSecret(spendLimitNanos: bigint | null, balanceNanos = BALANCE_NANOS) {
  const { spender } = await makeSpender(db, { balanceNanos });
  const bounds = { session: {}, maxSessionSeconds: null, sessionsMax: null, lifetimeSeconds: 600, spendLimitNanos };
  const { secret } = await createClientSecret(db.write(spender.workspaceId), spender.keyId, bounds);
  const { id, key } = (await findClientSecret(db.pool, secret)) as OpenSecret;
  const state = async () => {
    await db.ledger.posted();
    const { rows } = await db.pool.query(
      `select spent_nanos, (select coalesce(sum(amount_nanos), 0) from holds where client_secret_id = $1 and state = 'open') as held
       from client_secrets where id = $1`,
      [id],
    );
    return { spentNanos: BigInt(rows[0].spent_nanos as string), heldNanos: BigInt(rows[0].held as string) };
  };
  return { id, secret, key: key as Spender, spender, state };
}

async function spend({ ledger }: Database, spender: Spender, nanos: bigint): Promise<bigint | string> {
  try {
    const held = await ledger.hold(spender, nanos, { needNanos: nanos });
    await new Promise(setImmediate);
    return await ledger.settle(held, billOf(spender, nanos));
  } catch (error) {
    return (error as { reason?: string }).reason ?? String(error);
  }
}

describe('the limit of a client secret', () => {
  test('for ten calls admits exactly ten of many at once, in two processes', async () => {
    const { key, state } = await makeSecret(10_000n);
    const calls = Array.from({ length: 64 }, (_, at) => spend(at % 2 ? db : other, key, 1_000n));
    const outcomes = await Promise.all(calls);
    // Repeats a call that was refused while all money was held.
    for (let last: unknown; last !== 'secret'; outcomes.push(last as string)) last = await spend(db, key, 1_000n);
    expect(outcomes.filter((outcome) => outcome === 1_000n)).toHaveLength(10);
    expect(outcomes.filter((outcome) => !['secret', 'held', 1_000n].includes(outcome))).toEqual([]);
    expect(await state()).toEqual({ spentNanos: 10_000n, heldNanos: 0n });
  });

  test('binds its calls alone: its key spends on, and so does another secret of it', async () => {
    const { key, spender } = await makeSecret(1_000n);
    expect(await spend(db, key, 1_000n)).toBe(1_000n);
    expect(await spend(db, key, 1n)).toBe('secret');
    expect(await spend(db, spender, 5_000n)).toBe(5_000n);
    const { key: unbound } = await makeSecret(null);
    expect(unbound.secretId).toBeUndefined();
    expect(await spend(db, unbound, 5_000n)).toBe(5_000n);
  });

  test('refuses a call that needs more than is left of it, while others hold it only for a moment', async () => {
    const { key } = await makeSecret(10_000n);
    const held = await db.ledger.hold(key, 9_000n, { needNanos: 9_000n });
    await expect(db.ledger.hold(key, 10_001n, { needNanos: 10_001n })).rejects.toMatchObject({ reason: 'secret' });
    const waiting = db.ledger.hold(key, 5_000n, { needNanos: 5_000n });
    await db.ledger.settle(held, billOf(key, 2_000n));
    await db.ledger.settle(await waiting, billOf(key, 5_000n));
  });

  test('bounds the growth of a hold, and blocks no growth of others', async () => {
    const { key, spender } = await makeSecret(10_000n);
    const held = await db.ledger.hold(key, 4_000n);
    expect(await held.grow(50_000n)).toBe(6_000n);
    expect(await held.grow(1n)).toBe(0n);
    const others = await db.ledger.hold(spender, BALANCE_NANOS / 2n);
    expect(await others.grow(BALANCE_NANOS / 4n)).toBe(BALANCE_NANOS / 4n);
    await db.ledger.settle(held, billOf(key, 10_000n));
    await db.ledger.settle(others, billOf(spender, 0n));
  });

  test('gets back what a failed call held', async () => {
    const { key, state } = await makeSecret(1_000n);
    const held = await db.ledger.hold(key, 1_000n, { needNanos: 1_000n });
    await db.ledger.fail(held, { ...billOf(key, 0n), status: 502 });
    await until(async () => (await state()).heldNanos === 0n);
    expect(await spend(db, key, 1_000n)).toBe(1_000n);
  });

  test('counts a call whose hold is gone, and charges no more than is left of it', async () => {
    const { id, key, state } = await makeSecret(10_000n);
    const order = { processId: newId('proc'), keyId: key.keyId, kind: 'request' as const, secretId: id };
    await db.pool.query(`insert into processes (id, lease_until) values ($1, now() + interval '1 hour')`, [
      order.processId,
    ]);
    const holdId = newId('hold');
    await takeHold(db.pool, { ...order, id: holdId, wantNanos: 8_000n, needNanos: 8_000n });
    await db.pool.query('select ledger_give_back($1, 0, true)', [holdId]);
    expect(await spend(db, key, 7_000n)).toBe(7_000n);
    const late = { id: holdId, amountNanos: 8_000n } as Parameters<typeof settlementOf>[0];
    expect(await settleAgain(db, settlementOf(late, billOf(key, 8_000n)))).toBe(3_000n);
    expect((await state()).spentNanos).toBe(10_000n);
    await db.pool.query('update processes set reaped_at = now() where id = $1', [order.processId]);
  });

  test('counts no call that is reversed', async () => {
    const { id, key, state } = await makeSecret(10_000n);
    const held = await db.ledger.hold(key, 4_000n);
    const bill = billOf(key, 4_000n);
    await db.ledger.settle(held, bill);
    expect((await state()).spentNanos).toBe(4_000n);
    await db.pool.query('select ledger_reverse($1)', [JSON.stringify({ ...settlementOf(held, bill), status: 503 })]);
    expect((await state()).spentNanos).toBe(0n);
    expect(id).toBe(key.secretId);
  });
});
