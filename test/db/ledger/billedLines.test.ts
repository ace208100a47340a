import { expect, test } from '@jest/globals';
import { insertBatch, findBatch } from '../../../db/batches/batches.ts';
import { storeResults } from '../../../db/batches/batchResults.ts';
import { beginWriting } from '../../../db/batches/batchStates.ts';
import { newId } from '../../../db/ids.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { billOf, makeSpender, openLedger, openOtherLedger, poolWith } from '../../support/ledger.ts';

const db = await openLedger();

const usage = { input_tokens: 5, cached_input_tokens: 2, output_tokens: 3 };

async function makeBatch(options: Parameters<typeof makeSpender>[1] = { balanceNanos: 1_000n }) {
  const { spender, balance } = await makeSpender(db, options);
  const order = { endpoint: '/v1/embeddings', inputFileId: 'file_x', metadata: null, outputSeconds: 1 } as const;
  const rows = db.write(spender.workspaceId);
  const { id: batchId } = await insertBatch(rows, { id: newId('batch'), keyId: spender.keyId, ...order });
  const resultsOf = async () => {
    const text = 'select line, output, request_id as id from batch_results where batch_id = $1 order by line';
    return (await db.pool.query<{ line: number; output: string; id: string }>(text, [batchId])).rows;
  };
  return { spender, balance, batchId, resultsOf, counts: () => findBatch(rows, batchId) };
}

/** Settles a line as a call of its own. */
async function settleLine(
  ledger: Pick<typeof db.ledger, 'hold' | 'settleLine'>,
  spender: Spender,
  place: { batchId: string; line: number },
) {
  const held = await ledger.hold(spender, 100n);
  const bill = billOf(spender, 60n, { usage, cachedTokens: 2, reasoningTokens: 1 });
  const charged = await ledger.settleLine(held, bill, { ...place, output: `answer ${place.line}` });
  if (charged === undefined) await db.ledger.fail(held, { ...bill, requestId: newId('req') });
  return { charged, id: bill.requestId };
}

/** A ledger whose writer loses the answers to its first statements of lines, after they were executed. */
function openLossy(lostMax: number) {
  let lost = 0;
  const writerPool = poolWith(db.pool, async (statement, ...values) => {
    const result: unknown = await db.pool.query(statement as never, ...(values as never[]));
    if (statement.name !== 'batch_lines_write' || lost === lostMax) return result;
    lost += 1;
    throw Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' });
  });
  return openOtherLedger(db, { writerPool, onError: () => {} });
}

test('a line is billed, stored and counted together', async () => {
  const { spender, balance, batchId, resultsOf, counts } = await makeBatch();
  const all = await Promise.all([1, 2, 3].map((line) => settleLine(db.ledger, spender, { batchId, line })));
  expect(all.map(({ charged }) => charged)).toEqual([60n, 60n, 60n]);
  await db.ledger.posted();
  expect(await balance()).toBe(820n);
  expect(await resultsOf()).toEqual(all.map(({ id }, at) => ({ line: at + 1, output: `answer ${at + 1}`, id })));
  const sums = { completed: 3, inputTokens: 21, cachedTokens: 6, outputTokens: 9, reasoningTokens: 3, costNanos: 180n };
  expect(await counts()).toMatchObject(sums);
});

test('lines of several batches are counted by their own batch', async () => {
  const [one, other] = [await makeBatch(), await makeBatch()];
  await Promise.all([
    settleLine(db.ledger, one.spender, { batchId: one.batchId, line: 1 }),
    settleLine(db.ledger, other.spender, { batchId: other.batchId, line: 1 }),
    settleLine(db.ledger, one.spender, { batchId: one.batchId, line: 2 }),
  ]);
  expect([await one.counts(), await other.counts()]).toMatchObject([{ completed: 2 }, { completed: 1 }]);
});

test('a line that has a result is not billed again, and the lines beside it are', async () => {
  const { spender, balance, batchId, resultsOf, counts } = await makeBatch();
  const first = await settleLine(db.ledger, spender, { batchId, line: 2 });
  const again = await Promise.all([1, 2, 3].map((line) => settleLine(db.ledger, spender, { batchId, line })));
  expect(again.map(({ charged }) => charged)).toEqual([60n, undefined, 60n]);
  await db.ledger.posted();
  expect(await balance()).toBe(820n);
  expect((await resultsOf()).map(({ id }) => id)).toEqual([again[0]!.id, first.id, again[2]!.id]);
  expect(await counts()).toMatchObject({ completed: 3, costNanos: 180n });
});

test('two calls of one line are billed once, also when they end together', async () => {
  const { spender, balance, batchId, resultsOf } = await makeBatch();
  const both = await Promise.all([1, 1].map((line) => settleLine(db.ledger, spender, { batchId, line })));
  expect(new Set(both.map(({ charged }) => charged))).toEqual(new Set([60n, undefined]));
  await db.ledger.posted();
  expect([await balance(), (await resultsOf()).length]).toEqual([940n, 1]);
});

test('a line that is answered once its batch is written is not billed, and those of other batches are', async () => {
  const [one, other] = [await makeBatch(), await makeBatch()];
  await settleLine(db.ledger, one.spender, { batchId: one.batchId, line: 1 });
  await beginWriting(db.everywhere, one.batchId, { ending: 'completed' });
  const late = await Promise.all([
    settleLine(db.ledger, one.spender, { batchId: one.batchId, line: 2 }),
    settleLine(db.ledger, other.spender, { batchId: other.batchId, line: 2 }),
  ]);
  expect(late.map(({ charged }) => charged)).toEqual([undefined, 60n]);
  await db.ledger.posted();
  expect([await one.balance(), await other.balance()]).toEqual([940n, 940n]);
  const failed = { line: 3, isFailed: true, requestId: newId('req'), output: '{}', bill: null };
  const { workspaceId } = one.spender;
  expect(await storeResults(db.everywhere, { batchId: one.batchId, workspaceId }, [failed])).toEqual(new Set());
  expect((await one.resultsOf()).map(({ line }) => line)).toEqual([1]);
  expect(await one.counts()).toMatchObject({ completed: 1, failed: 0, costNanos: 60n });
});

test('a judgement is billed while its evaluation runs, and no longer once that has ended', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
  const id = newId('evrun');
  await db.pool.query(
    `insert into evaluation_runs (id, workspace_id, agent_id, key_id, version_id, version, configuration_hash, set_revision, cases, case_count)
      values ($1, $2, 'agent_x', $3, 'aver_x', '1', 'x', 1, '[]', 1)`,
    [id, spender.workspaceId, spender.keyId],
  );
  expect(await settleLine(db.ledger, spender, { batchId: id, line: 1 })).toMatchObject({ charged: 60n });
  await db.pool.query(`update evaluation_runs set status = 'passed', ended_at = now() where id = $1`, [id]);
  expect(await settleLine(db.ledger, spender, { batchId: id, line: 2 })).toMatchObject({ charged: undefined });
  await db.ledger.posted();
  expect(await balance()).toBe(940n);
});

test('lines whose writing was executed but not answered are billed and counted once', async () => {
  const { spender, balance, batchId, resultsOf, counts } = await makeBatch();
  const ledger = await openLossy(2);
  const all = await Promise.all([1, 2].map((line) => settleLine(ledger, spender, { batchId, line })));
  expect(all.map(({ charged }) => charged)).toEqual([60n, 60n]);
  await ledger.close();
  expect(await balance()).toBe(880n);
  expect((await resultsOf()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(await counts()).toMatchObject({ completed: 2, costNanos: 120n });
});
