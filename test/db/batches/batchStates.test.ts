import { afterAll, expect, test } from '@jest/globals';
import { beginBatch, beginWriting, finishBatch } from '../../../db/batches/batchStates.ts';
import { findBatch, insertBatch, requestBatchCancel } from '../../../db/batches/batches.ts';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('the times of a batch in test mode are all of its clock', async () => {
  const { workspaceId, keyId } = await makeAccount(db, { isTest: true });
  await db.pool.query('update workspaces set clock_seconds = 864000, clock_target_seconds = 864000 where id = $1', [
    workspaceId,
  ]);
  const rows = db.write(workspaceId);
  const order = { endpoint: '/v1/embeddings', inputFileId: 'file_x', metadata: null, outputSeconds: 3_600 };
  const make = async () => {
    const { id } = await insertBatch(rows, { id: newId('batch'), keyId, ...order });
    await beginBatch(db.everywhere, id, 1, 1n);
    return id;
  };
  const end = async (id: string, ending: 'completed' | 'cancelled') => {
    await beginWriting(db.everywhere, id, { ending });
    await finishBatch(db.everywhere, id, { ending, failed: 0, hasOutput: false, hasErrors: false });
    return findBatch(rows, id);
  };
  const { createdAt, inProgressAt, finalizingAt, endedAt } = await end(await make(), 'completed');
  const times = [createdAt, inProgressAt!, finalizingAt!, endedAt!];
  expect(times.toSorted((one, other) => one.getTime() - other.getTime())).toEqual(times);
  const id = await make();
  await requestBatchCancel(rows, id);
  const cancelled = await end(id, 'cancelled');
  expect(cancelled.cancellingAt!.getTime()).toBeGreaterThan(cancelled.createdAt.getTime());
});
