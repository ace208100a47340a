import { afterAll, expect, test } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { LineCalls } from '../../../activities/batch/lineCalls.ts';
import { readLines } from '../../../activities/batch/readLines.ts';
import { createRunLines } from '../../../activities/batch/runLines.ts';
import { createValidateBatch } from '../../../activities/batch/validateBatch.ts';
import { createWriteFiles } from '../../../activities/batch/writeFiles.ts';
import { storeResults } from '../../../db/batches/batchResults.ts';
import { beginBatch, beginWriting } from '../../../db/batches/batchStates.ts';
import { findBatch, insertBatch } from '../../../db/batches/batches.ts';
import { openUpload, publishUpload } from '../../../db/files/upload.ts';
import { newId } from '../../../db/ids.ts';
import type { Rows } from '../../../db/postgres/rows.ts';
import { makeAccount } from '../../support/account.ts';
import { chatLine } from '../../support/batchStage.ts';
import { setTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** Runs an activity, and counts its heartbeats. */
function within<T>(work: () => Promise<T>, beats = { count: 0 }, signal = new AbortController().signal): Promise<T> {
  const heartbeat = () => void (beats.count += 1);
  return asyncLocalStorage.run({ heartbeat, cancellationSignal: signal } as unknown as Context, work);
}

/** A new batch of three lines. */
async function makeBatch() {
  const { workspaceId, keyId } = await makeAccount(db);
  const rows = db.write(workspaceId);
  const ids = ['a', 'b', 'c'];
  const upload = await openUpload(rows);
  await upload.write(Buffer.from(ids.map((id) => `${JSON.stringify(chatLine(id, 'Hello.'))}\n`).join('')));
  const file = { id: newId('file'), sessionId: null, purpose: 'batch', filename: 'calls.jsonl' };
  await publishUpload(rows, await upload.end(), { ...file, mediaType: 'application/jsonl', expiresInSeconds: null });
  const order = { endpoint: '/v1/chat/completions', inputFileId: file.id, metadata: null, outputSeconds: 3_600 };
  const { id: batchId } = await insertBatch(rows, { id: newId('batch'), keyId, ...order });
  return { batchId, rows, ids, workspaceId };
}

/** A batch whose lines all have an answer. */
async function answeredBatch() {
  const { batchId, rows, ids, workspaceId } = await makeBatch();
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
  const other = () => within(() => createWriteFiles({ db })(order));
  const late = createWriteFiles({ db: { ...db, everywhere: withDelayedResults(db.everywhere, other) } });
  expect(await within(() => late(order))).toBe('completed');
  expect(await ended()).toMatchObject({ status: 'completed', failed: 0, errorFileId: null });
  expect(await filenames()).toEqual([`${batchId}_output.jsonl`]);
});

const lines = { refuseModel: () => undefined, worstCaseNanosOf: () => 1n } as unknown as LineCalls;

test('a batch whose files are written runs no more lines, although its workflow was started again', async () => {
  const { batchId } = await makeBatch();
  await beginBatch(db.everywhere, batchId, 3, 3n);
  await beginWriting(db.everywhere, batchId, { ending: 'completed' });
  const run = () => Promise.reject(new Error('a line runs'));
  const calls = { ...lines, hasUpstreamBatches: () => false, run };
  const bounds = { batchConcurrency: 1, retryDelayMaxMs: 1 };
  const runLines = createRunLines({ db, lines: calls, upstreamBatches: {} as never, ...bounds });
  const window = { batchId, next: { line: 1, offsetBytes: 0 } };
  expect(await within(() => runLines(window))).toEqual({ ending: 'completed' });
});

test('files that are written by a workflow that was started again say the same of the lines that did not run', async () => {
  const { batchId, rows, ids } = await makeBatch();
  await beginBatch(db.everywhere, batchId, ids.length, 3n);
  await beginWriting(db.everywhere, batchId, { ending: 'completed', restCode: 'key_spend_limit_reached' });
  await within(() => createWriteFiles({ db })({ batchId, ending: 'completed' }));
  const { errorFileId } = await findBatch(rows, batchId);
  const file = await rows.statement(({ em, File }) => em.findOneOrFail(File, { id: errorFileId! }));
  const codes: string[] = [];
  for await (const { bytes } of readLines(rows, file, { line: 1, offsetBytes: 0 }))
    codes.push((JSON.parse(String(bytes)) as { error: { code: string } }).error.code);
  expect(codes).toEqual(ids.map(() => 'key_spend_limit_reached'));
});

/** The check of a file whose bytes come once `mayRead` resolves. */
const checkOf = (mayRead: () => Promise<unknown>) => {
  const read: typeof db.read = (workspaceId) => {
    const rows = db.read(workspaceId);
    return { ...rows, statement: async (work) => (await mayRead(), rows.statement(work)) };
  };
  return createValidateBatch({ db: { ...db, read }, lines });
};

test('a worker that checks few lines for long is not taken for dead', async () => {
  const { batchId, rows } = await makeBatch();
  const beats = { count: 0 };
  const check = checkOf(() => until(() => beats.count > 1));
  expect(await within(() => check(batchId), beats)).toBe(true);
  expect(await findBatch(rows, batchId)).toMatchObject({ status: 'in_progress', total: 3, worstCaseNanos: 3n });
});

test('a worker that was taken for dead while it checked a file stops', async () => {
  const { batchId, rows } = await makeBatch();
  const lost = new AbortController();
  const check = checkOf(async () => lost.abort());
  await expect(within(() => check(batchId), { count: 0 }, lost.signal)).rejects.toThrow('another one checks the file');
  expect(await findBatch(rows, batchId)).toMatchObject({ status: 'validating' });
});
