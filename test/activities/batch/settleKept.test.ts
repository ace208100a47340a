import { afterAll, afterEach, expect, test } from '@jest/globals';
import { settleKept } from '../../../activities/batch/settleKept.ts';
import { createResultWriter } from '../../../activities/batch/resultWriter.ts';
import type { Bill } from '../../../db/ledger/ledger.ts';
import { insertBatch, findBatch } from '../../../db/batches/batches.ts';
import { newId } from '../../../db/ids.ts';
import { readLiveKey } from '../../../db/keys/keys.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger } from '../../support/ledger.ts';

const db = await setTestDatabase();
afterEach(() => expectSoundLedger(db));
afterAll(() => db.close());

const range = { from: 1, to: 1_001 };
const usage = { input_tokens: 7, output_tokens: 3 };

/** What a worker of an earlier release stored of a bill. */
function keptBillOf({ spender: _spender, product: _product, costNanos, ...bill }: Bill, chargedNanos: bigint) {
  return { ...bill, costNanos: `${costNanos}`, chargedNanos: `${chargedNanos}` };
}

/** A batch with a stored but unbilled answer, as a killed worker leaves it. */
async function leftBatch(options: Parameters<typeof makeAccount>[1], costNanos = 5_000n) {
  const account = await makeAccount(db, options);
  const key = (await readLiveKey(db.pool, account.keyId))!;
  const rows = db.write(account.workspaceId);
  const order = { endpoint: '/v1/embeddings', inputFileId: 'file_x', metadata: null, outputSeconds: 1 };
  const { id: batchId } = await insertBatch(rows, { id: newId('batch'), keyId: account.keyId, ...order });
  const writer = createResultWriter(db.everywhere, { batchId, workspaceId: account.workspaceId });
  const bill = billOf(key, costNanos, { usage, cachedTokens: 2, reasoningTokens: 1 });
  const result = { line: 3, isFailed: false, requestId: bill.requestId, output: '{}' };
  const isStored = await writer.add({ ...result, bill: keptBillOf(bill, costNanos) });
  return { account, key, batchId, writer, result, bill, isStored };
}

const chargesOf = async (requestId: string) =>
  (await db.pool.query('select cost_nanos from requests where id = $1', [requestId])).rows;

test('an answer that was stored and not billed is billed once, however often that is tried', async () => {
  const { account, key, batchId, bill } = await leftBatch({ balanceNanos: 10_000n });
  for (let time = 0; time < 3; time += 1)
    expect(await settleKept(db, { batchId, key, ...range })).toEqual({ dropped: [] });
  await db.ledger.posted();
  expect(await chargesOf(bill.requestId)).toEqual([{ cost_nanos: '5000' }]);
  expect(await balanceOf(db, account.workspaceId)).toBe(5_000n);
});

test('it is billed once when the worker that was taken for dead bills it too', async () => {
  const { account, key, batchId, bill } = await leftBatch({ balanceNanos: 20_000n });
  const held = await db.ledger.hold(key, 5_000n);
  await Promise.all([settleKept(db, { batchId, key, ...range }), db.ledger.settle(held, bill)]);
  expect(await balanceOf(db, account.workspaceId)).toBe(15_000n);
});

test('an answer that cannot be paid for any more is taken back', async () => {
  const { account, key, batchId } = await leftBatch({ balanceNanos: 1_000n });
  const settled = await settleKept(db, { batchId, key, ...range });
  expect(settled).toEqual({ dropped: [3], restCode: 'insufficient_balance' });
  expect(await findBatch(db.read(account.workspaceId), batchId)).toMatchObject({
    completed: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    costNanos: 0n,
  });
  expect(await balanceOf(db, account.workspaceId)).toBe(1_000n);
});

test('the answers of a revoked key are taken back', async () => {
  const { batchId } = await leftBatch({});
  expect(await settleKept(db, { batchId, key: null, ...range })).toEqual({ dropped: [3], restCode: 'invalid_api_key' });
});

test('a line has one result: the second one is refused and not counted', async () => {
  const { account, key, batchId, writer, result, bill, isStored } = await leftBatch({});
  const second = { ...result, requestId: newId('req'), bill: keptBillOf(bill, 5_000n) };
  expect([isStored, await writer.add(second)]).toEqual([true, false]);
  expect(await findBatch(db.read(account.workspaceId), batchId)).toMatchObject({
    completed: 1,
    inputTokens: 7,
    cachedTokens: 2,
    outputTokens: 3,
    reasoningTokens: 1,
    costNanos: 5_000n,
  });
  await settleKept(db, { batchId, key, ...range });
});
