import { afterAll } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import type { RunSettlement } from '../../../db/ledger/runHolds.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { createWorkspace } from '../../../db/workspaces/workspaces.ts';
import { setTestDatabase } from '../../support/database.ts';

/** A database with a publisher, and the holds and settlements of runs in it. Ends with the file. */
export async function setRunHoldStage() {
  const db = await setTestDatabase();
  afterAll(() => db.close());
  const publisherWorkspaceId = await createWorkspace(db.everywhere, 'publisher');

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

  return { db, publisherWorkspaceId, hold, settle };
}
