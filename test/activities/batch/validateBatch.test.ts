import { afterAll, expect, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { BatchDependencies } from '../../../activities/batch/batchDependencies.ts';
import { createValidateBatch } from '../../../activities/batch/validateBatch.ts';
import { findBatch, insertBatch } from '../../../db/batches/batches.ts';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('a batch whose file cannot be checked in any try fails, and says so', async () => {
  const { workspaceId, keyId } = await makeAccount(db);
  const order = { endpoint: '/v1/embeddings', inputFileId: 'file_gone', metadata: null, outputSeconds: 1 };
  const { id } = await insertBatch(db.write(workspaceId), { id: newId('batch'), keyId, ...order });
  const validateBatch = createValidateBatch({ db, lines: {} } as unknown as BatchDependencies);
  const attemptOf = (attempt: number) => {
    const { signal: cancellationSignal } = new AbortController();
    const worker = { heartbeat: () => {}, log: { error: () => {} }, cancellationSignal };
    const context = { info: { attempt }, ...worker } as unknown as Context;
    return asyncLocalStorage.run(context, () => validateBatch(id));
  };
  await expect(attemptOf(7)).rejects.toThrow();
  expect(await findBatch(db.everywhere, id)).toMatchObject({ status: 'validating' });
  expect(await attemptOf(8)).toBe(false);
  const failed = await findBatch(db.everywhere, id);
  expect(failed).toMatchObject({ status: 'failed', errors: [{ code: 'internal_error', line: null }] });
});
