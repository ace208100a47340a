import { afterAll, expect, test } from '@jest/globals';
import { fundTrial } from '../../../../db/publishing/review/reviewer.ts';
import { findKeyState } from '../../../../db/keys/keyState.ts';
import { createKey } from '../../../../db/keys/keyStore.ts';
import type { Spender } from '../../../../db/ledger/ledger.ts';
import { finishRun } from '../../../../db/runs/states/finishRun.ts';
import { setTestDatabase } from '../../../support/database.ts';
import { billOf, makeSpender, openHoldsOf } from '../../../support/ledger.ts';
import { makeRun } from '../../../support/run.ts';
import { until } from '../../../support/until.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** An unbilled call of this key, which leaves at least a quarter of the free balance in the key's slice. */
async function leaveIdle(spender: Spender, freeNanos: bigint): Promise<void> {
  const heldNanos = async () => (await openHoldsOf(db, spender.accountId)).nanos;
  const before = await heldNanos();
  const call = await db.ledger.hold(spender, 1_000n);
  await db.ledger.fail(call, { ...billOf(spender, 0n), status: 502 });
  expect((await heldNanos()) - before).toBeGreaterThanOrEqual(freeNanos / 4n);
  await until(async () => (await findKeyState(db.pool, spender.keyId)).availableNanos === freeNanos);
}

test("a run stopped by its key's ceiling reports that while part of the balance is in slices", async () => {
  const { spender } = await makeSpender(db, {
    balanceNanos: 40_000n,
    spendLimitNanos: 30_000n,
    spendLimitPeriod: 'daily',
  });
  const run = await makeRun(db, spender, { maxCostNanos: 50_000n });
  await db.pool.query(`update runs set rate_card = '{"meters":[],"network_fee_percentage":0}' where id = $1`, [run.id]);
  const { workspaceId, accountId } = spender;
  const other = await createKey(db.everywhere, { workspaceId, name: 'other', scopes: ['llm'] });
  await leaveIdle({ workspaceId, accountId, keyId: other.id }, 10_000n);
  // The ceiling leaves less than the account has, and more than the account has without its slice.
  await db.pool.query('update api_keys set spend_limit_nanos = 38000 where id = $1', [spender.keyId]);
  await finishRun(db, run.id, { status: 'limit_reached', limit: 'cost' });
  const { rows } = await db.pool.query('select "limit" from runs where id = $1', [run.id]);
  expect(rows[0].limit).toMatchObject({ kind: 'key_spend', value: 0.00003 });
});

test("a trial gets no funds while its account's money is in slices", async () => {
  const { spender: reviewer } = await makeSpender(db, { balanceNanos: 40_000n });
  await leaveIdle(reviewer, 40_000n);
  const posted = async () => (await findKeyState(db.pool, reviewer.keyId)).postedNanos;
  await fundTrial(db.pool, { reviewer, amountNanos: 40_000n });
  expect(await posted()).toBe(40_000n);
  await fundTrial(db.pool, { reviewer, amountNanos: 40_001n });
  expect(await posted()).toBe(80_001n);
});
