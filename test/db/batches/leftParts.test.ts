import { afterAll, expect, test } from '@jest/globals';
import { endLeftParts, findOpenPart, insertPart } from '../../../db/batches/batchParts.ts';
import { insertBatch } from '../../../db/batches/batches.ts';
import { newId } from '../../../db/ids.ts';
import { setTestDatabase } from '../../support/database.ts';
import { expectSoundLedger, makeSpender, openHoldsOf } from '../../support/ledger.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** A batch with an open part, and with the money that it holds. */
async function makeHolding() {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const { workspaceId, accountId, keyId } = spender;
  const order = { endpoint: '/v1/embeddings', inputFileId: 'file_x', metadata: null, outputSeconds: 3_600 };
  const { id: batchId } = await insertBatch(db.write(workspaceId), { id: newId('batch'), keyId, ...order });
  const part = { id: newId('part'), batchId, workspaceId, upstream: 'a', model: 'm', endpoint: order.endpoint };
  const size = { fromLine: 1, fromByte: 0, toLine: 2, sizeBytes: 1, holdId: newId('hold'), heldNanos: 400n };
  await db.ledger.holdRunPatiently(accountId, async (client, take) => {
    await take({ holdId: size.holdId, keyId, kind: 'request', wantNanos: 400n, needNanos: 400n });
    return insertPart(db.everywhere, client, { ...part, ...size });
  });
  return { batchId, heldNanos: async () => (await openHoldsOf(db, accountId)).nanos };
}

test('money of a batch that has ended is free again, and that of one that runs stays held', async () => {
  const [ended, running] = [await makeHolding(), await makeHolding()];
  await db.pool.query(`update batches set status = 'cancelled', ended_at = now() where id = $1`, [ended.batchId]);
  expect(await endLeftParts(db.everywhere, db.ledger.releaseHold)).toBe(1);
  expect([await ended.heldNanos(), await running.heldNanos()]).toEqual([0n, 400n]);
  expect([
    await findOpenPart(db.everywhere, ended.batchId),
    await findOpenPart(db.everywhere, running.batchId),
  ]).toEqual([null, expect.objectContaining({ batchId: running.batchId })]);
  expect(await endLeftParts(db.everywhere, db.ledger.releaseHold)).toBe(0);
  await expectSoundLedger(db);
});
