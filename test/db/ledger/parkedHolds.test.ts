import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import type { RunSettlement } from '../../../db/ledger/runHolds.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { createWorkspace } from '../../../db/workspaces/workspaces.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { makeSpender, openHoldsOf } from '../../support/ledger.ts';

let database: Awaited<ReturnType<typeof makeDatabase>>;
let db: Database;
let publisherWorkspaceId: string;

beforeAll(async () => {
  database = await makeDatabase();
  db = await openTestDatabase({ url: database.url });
  publisherWorkspaceId = await createWorkspace(db.everywhere, 'publisher');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const hold = (spender: Spender, wantNanos: bigint, needNanos = 1n, holdId = newId('hold')) =>
  inTransaction(db.pool, async (client) => ({
    holdId,
    ...(await db.ledger.holdRun(client, { holdId, keyId: spender.keyId, wantNanos, needNanos })),
  }));

const settle = (settlement: Pick<RunSettlement, 'holdId'> & Partial<RunSettlement>) =>
  inTransaction(db.pool, (client) =>
    db.ledger.settleRun(client, {
      runId: newId('run'),
      subtotalNanos: 0n,
      networkFeeNanos: 0n,
      platformCostNanos: 0n,
      subsidyNanos: 0n,
      absorbedNanos: 0n,
      publisherWorkspaceId,
      ...settlement,
    }),
  );

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
