import { afterAll, expect, test } from '@jest/globals';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { findKeyState } from '../../../db/keys/keyState.ts';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { insertDerivedKey, type DerivedKey } from '../../../db/keys/deriveKey.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender, spentByDay } from '../../support/ledger.ts';

const callNanos = 1_000n;

const database = await makeDatabase();
const { url } = database;
const db = await openTestDatabase({ url });
const processes = [db, await openTestDatabase({ url })];
afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()));
  await database.drop();
});

/** A derived key. */
async function derive(parent: Spender, limits: Partial<DerivedKey> = {}): Promise<Spender> {
  const id = newId('key');
  const by = { keyId: parent.keyId, requestId: newId('req') };
  const order = { id, parentId: parent.keyId, name: 'child', defaults: { rpm: 600, concurrency: 20 }, by, ...limits };
  const derived = await insertDerivedKey(db.write(parent.workspaceId), order);
  if (derived.outcome !== 'derived') throw new Error(derived.outcome);
  return { ...parent, keyId: id };
}

/** A call, held completely and settled; resolves with its charge, or the reason for its refusal. */
async function spend({ ledger }: Database, spender: Spender, nanos = callNanos): Promise<bigint | string> {
  try {
    return await ledger.settle(await ledger.hold(spender, nanos, { needNanos: nanos }), billOf(spender, nanos));
  } catch (error) {
    return (error as { reason?: string }).reason ?? String(error);
  }
}

async function sumOf(keys: Spender[]): Promise<bigint> {
  const days = await Promise.all(keys.map(({ keyId }) => spentByDay(db, keyId)));
  return days.flat().reduce((sum, nanos) => sum + nanos, 0n);
}

test.each([
  ['its parent', (parent: Spender) => parent],
  ['its parent’s parent', (parent: Spender) => derive(parent, { spendLimitNanos: 50n * callNanos })],
])('64 calls at once with keys of a ceiling of ten calls of %s are ten calls', async (_of, between) => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n * callNanos, spendLimitNanos: 10n * callNanos });
  const parent = await between(spender);
  const children = await Promise.all([1, 2, 3].map(() => derive(parent, { spendLimitNanos: 100n * callNanos })));
  const keys = [spender, ...children];
  const calls = Array.from({ length: 64 }, (_, nth) => spend(processes[nth % 2]!, keys[nth % keys.length]!));
  const outcomes = await Promise.all(calls);
  // Repeats a call that was refused while the rest was held.
  let last: bigint | string = 'held';
  while (typeof last === 'bigint' || last === 'held') outcomes.push((last = await spend(db, children[0]!)));
  expect(outcomes.filter((outcome) => typeof outcome === 'bigint')).toHaveLength(10);
  expect(last).toBe('ceiling');
  expect(await sumOf([...keys, parent].filter((key, at, all) => all.indexOf(key) === at))).toBe(10n * callNanos);
  await expectSoundLedger(db);
});

test('a child stops at its own ceiling while its parent and its siblings go on', async () => {
  const { spender } = await makeSpender(db, { spendLimitNanos: 900n });
  const [small, large] = [await derive(spender, { spendLimitNanos: 300n }), await derive(spender)];
  expect(await spend(db, small, 300n)).toBe(300n);
  expect(await spend(db, small, 1n)).toBe('ceiling');
  expect(await spend(db, large, 400n)).toBe(400n);
  expect(await findKeyState(db.pool, spender.keyId)).toMatchObject({ keyLeftNanos: 200n });
  expect(await spend(db, spender, 200n)).toBe(200n);
  expect(await spend(db, large, 1n)).toBe('ceiling');
  await expectSoundLedger(db);
});

test('a key whose parent is revoked holds nothing any more', async () => {
  const { spender } = await makeSpender(db, { spendLimitNanos: 900n });
  const child = await derive(await derive(spender));
  await revokeKey(db, spender.keyId);
  await expect(db.ledger.hold(child, 1n)).rejects.toMatchObject({ reason: 'revoked' });
});
