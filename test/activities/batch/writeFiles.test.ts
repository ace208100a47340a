import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { createWriteFiles } from '../../../activities/batch/writeFiles.ts';
import { storeResults } from '../../../db/batches/batchResults.ts';
import { beginBatch } from '../../../db/batches/batchStates.ts';
import { findBatch, insertBatch } from '../../../db/batches/batches.ts';
import { openUpload, publishUpload } from '../../../db/files/upload.ts';
import { newId } from '../../../db/ids.ts';
import type { Rows } from '../../../db/postgres/rows.ts';
import { makeAccount } from '../../support/account.ts';
import { chatLine } from '../../support/batchStage.ts';
import { setTestDatabase } from '../../support/database.ts';

let db: Awaited<ReturnType<typeof setTestDatabase>>;
beforeAll(async () => {
  db = await setTestDatabase();
});
afterAll(() => db.close());

const context = { heartbeat: () => {} } as unknown as Context;

/** A batch whose lines all have an answer. */
async function answeredBatch() {
  const { workspaceId, keyId } = await makeAccount(db);
  const rows = db.write(workspaceId);
  const ids = ['a', 'b', 'c'];
  const upload = await openUpload(rows);
  await upload.write(Buffer.from(ids.map((id) => `${JSON.stringify(chatLine(id, 'Hello.'))}\n`).join('')));
  const file = { id: newId('file'), sessionId: null, purpose: 'batch', filename: 'calls.jsonl' };
  await publishUpload(rows, await upload.end(), { ...file, mediaType: 'application/jsonl', expiresInSeconds: null });
  const order = { endpoint: '/v1/chat/completions', inputFileId: file.id, metadata: null, outputSeconds: 3_600 };
  const { id: batchId } = await insertBatch(rows, { id: newId('batch'), keyId, ...order });
  await beginBatch(db.everywhere, batchId, ids.length, 0n);
  const results = ids.map((id, at) => ({
    line: at + 1,
    isFailed: false,
    requestId: newId('req'),
    output: id,
    bill: null,
  }));
  await storeResults(db.everywhere, { batchId, workspaceId }, results);
  const filenames = () =>
    rows.statement(async ({ em, File }) =>
      (await em.find(File, { purpose: 'batch_output', deletedAt: null })).map(({ filename }) => filename),
    );
  return { batchId, filenames, ended: () => findBatch(rows, batchId) };
}

/** The rows of all, whose first reading of results waits for something else. */
function withDelayedResults(everywhere: Rows<undefined>, before: () => Promise<unknown>): Rows<undefined> {
  let first: Promise<unknown> | undefined;
  const statement: Rows<undefined>['statement'] = (work) =>
    everywhere.statement((bound) => {
      const query = async (asked: { name?: string }, ...values: never[]) => {
        if (asked.name === 'batch_results_read') await (first ??= before());
        return bound.client.query(asked as never, ...values);
      };
      return work({ ...bound, client: { ...bound.client, query: query as typeof bound.client.query } });
    });
  return { ...everywhere, statement };
}

test('a worker that was taken for dead while it wrote the results adds no file to those of the ended batch', async () => {
  const { batchId, filenames, ended } = await answeredBatch();
  const order = { batchId, ending: 'completed' } as const;
  const within = (work: () => Promise<unknown>) => asyncLocalStorage.run(context, work);
  const other = () => within(() => createWriteFiles({ db })(order));
  const late = createWriteFiles({ db: { ...db, everywhere: withDelayedResults(db.everywhere, other) } });
  expect(await within(() => late(order))).toBe('completed');
  expect(await ended()).toMatchObject({ status: 'completed', failed: 0, errorFileId: null });
  expect(await filenames()).toEqual([`${batchId}_output.jsonl`]);
});
