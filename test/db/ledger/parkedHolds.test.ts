import { describe, expect, test } from '@jest/globals';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { makeSpender, openHoldsOf } from '../../support/ledger.ts';
import { setRunHoldStage } from './runHoldStage.ts';

const { db, hold, settle } = await setRunHoldStage();

describe('the hold of a waiting run', () => {
  const shrink = (holdId: string, keepNanos: bigint) => db.ledger.shrinkRun(db.pool, holdId, keepNanos);
  const retake = (spender: Spender, holdId: string, wantNanos: bigint, keptNanos: bigint) =>
    db.ledger.extendRunPatiently(spender.accountId, (_, extend) =>
      extend({ holdId, keyId: spender.keyId, wantNanos, needNanos: 1n, keptNanos }),
    );

  test('covers what was consumed; the rest is free for other calls, also for a partial hold', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 1_500n);
    await shrink(holdId, 300n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 300n, count: 1 });
    expect(await hold(spender, 900n)).toMatchObject({ outcome: 'granted', grantedNanos: 700n });
  });

  test('grows again by the free amount, and gives the reason when it cannot', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 1_000n);
    await shrink(holdId, 300n);
    const other = await hold(spender, 700n);
    await expect(retake(spender, holdId, 700n, 300n)).rejects.toMatchObject({ name: 'HoldRefused', reason: 'held' });
    await settle({ holdId: other.holdId, subtotalNanos: 200n });
    expect(await retake(spender, holdId, 700n, 300n)).toBe(500n);
    await expect(retake(spender, holdId, 1n, 800n)).rejects.toMatchObject({ name: 'HoldRefused', reason: 'short' });
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 800n, count: 1 });
  });

  test('does not grow past a ceiling', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n, spendLimitNanos: 400n });
    const { holdId } = await hold(spender, 400n);
    await expect(retake(spender, holdId, 100n, 400n)).rejects.toMatchObject({ reason: 'short' });
  });

  test('is never increased by lowering it, and a settled one stays unchanged', async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const { holdId } = await hold(spender, 200n);
    await shrink(holdId, 900n);
    expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 200n, count: 1 });
    await settle({ holdId, subtotalNanos: 150n });
    await shrink(holdId, 0n);
    const { rows } = await db.pool.query('select amount_nanos::int as nanos from holds where id = $1', [holdId]);
    expect(rows).toEqual([{ nanos: 200 }]);
  });
});
