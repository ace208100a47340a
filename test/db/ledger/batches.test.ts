import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { batchText, type Settlement } from '../../../db/ledger/settlement.ts';
import {
  pendingBatchIds,
  postBatches,
  postEach,
  postOthers,
  settleBatches,
  writeBatch,
} from '../../../db/ledger/batches.ts';
import { readClock } from '../../../db/ledger/lease.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { setTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender } from '../../support/ledger.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** A process that took a slice, wrote the settlements of some calls to disk, and died. */
async function dieAfterWriting(
  spender: Spender,
  charges: number[],
): Promise<{ batchId: string; processId: string; items: Settlement[] }> {
  const processId = newId('proc');
  await db.pool.query(`insert into processes (id, lease_until) values ($1, now() - interval '1 ms')`, [processId]);
  const hold = newId('hold');
  await db.pool.query('select ledger_hold($1, $2, $3, $4, 1000, 1)', [hold, processId, spender.keyId, 'slice']);
  const items = charges.map((charge) => settlementOf(spender, hold, charge));
  const batchId = newId('batch');
  await writeBatch(db.pool, { id: batchId, processId, items });
  return { batchId, processId, items };
}

function settlementOf(spender: Spender, hold: string, charge: number): Settlement {
  const bill = billOf(spender, BigInt(charge));
  return {
    id: bill.requestId, workspace: spender.workspaceId, account: spender.accountId, key: spender.keyId, hold, cost: charge, charge,
    route: bill.route, model: bill.model, status: 200, cancelled: false, usage: {}, held: charge, started: new Date().toISOString(),
    first: null, duration: 1, bytes: 0, upstream: null, attempts: 0, finish: null, cached: null, reasoning: null, price: null, product: bill.product,
  }; // prettier-ignore
}

test('the sweep bills what a dead process had on disk, once', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  await dieAfterWriting(spender, [100, 200, 300]);
  await db.ledger.reap();
  expect(await pendingBatchIds(db.pool)).toEqual([]);
  await db.ledger.reap();
  expect(await balance()).toBe(99_400n);
  await expectSoundLedger(db);
});

test('a reader posts what is on disk when its process does not', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  await dieAfterWriting(spender, [70]);
  expect(await balance()).toBe(99_930n);
  expect(await pendingBatchIds(db.pool)).toEqual([]);
});

test('a reader asks each process that has something on disk to post it', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  const { batchId, processId } = await dieAfterWriting(spender, [70]);
  const asked: string[] = [];
  const ask = (id: string) => {
    asked.push(id);
    void postBatches(db.pool, [batchId]);
  };
  await postOthers(db.pool, ask);
  expect(await pendingBatchIds(db.pool)).toEqual([]);
  await postOthers(db.pool, ask);
  expect(asked).toEqual([processId]);
  expect(await balance()).toBe(99_930n);
});

test('a batch on disk is read as written, each member by its name', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const usage = { input_tokens: 12, 'a "quoted" \\ name': 1.5, ends: 'x\\ty\\n' };
  const figures = { cost: 9, charge: 8, held: 7, status: 206, first: 3, duration: 4, bytes: 5, cancelled: true };
  const texts = { model: 'ä{,}"\\ b(c)', route: 'a\tb\nc', upstream: 'one (of) "two"', finish: 'a,b' };
  const details = { attempts: 2, cached: 4, reasoning: 0, price: 'price_1', product: 'speech' as const };
  const items = [
    { ...settlementOf(spender, 'hold_a', 9), ...figures, ...texts, ...details, usage },
    settlementOf(spender, 'hold_b', 0),
  ];
  const id = newId('batch');
  await writeBatch(db.pool, { id, processId: 'proc_gone', items });
  const { rows } = await db.pool.query<{ item: Settlement }>(
    `select to_json(i)::jsonb - 'provisional' as item
      from settlement_batches b, unnest(b.settlements::ledger_settlement[]) i where b.id = $1`,
    [id],
  );
  const read = rows.map(({ item }) => ({ ...item, started: new Date(item.started).toISOString() }));
  expect(read).toEqual(items);
  await db.pool.query('delete from settlement_batches where id = $1', [id]);
});

test('a batch with tabs and line ends in its texts is billed by its process and by the sweep', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  const bill = { ...billOf(spender, 40n), model: 'two\tnames' };
  await db.ledger.settle(await db.ledger.hold(spender, 100n), bill);
  await db.ledger.posted();
  expect(await balance()).toBe(99_960n);
  const { batchId, items } = await dieAfterWriting(spender, [10]);
  await writeBatch(db.pool, {
    id: newId('batch'),
    processId: 'proc_gone',
    items: [{ ...items[0]!, id: newId('req'), model: 'a\nb' }],
  });
  await postBatches(db.pool, [batchId, ...(await pendingBatchIds(db.pool))]);
  expect(await balance()).toBe(99_940n);
  await expectSoundLedger(db);
});

test('a batch is not posted together with a missing one', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  const { batchId } = await dieAfterWriting(spender, [10, 20]);
  const settling = settleBatches(db.pool, [batchId, 'batch_gone'], []);
  await expect(settling).rejects.toMatchObject({ code: 'P0001' });
  expect(await pendingBatchIds(db.pool)).toEqual([batchId]);
  await postBatches(db.pool, [batchId, 'batch_gone']);
  expect(await balance()).toBe(99_970n);
});

test('a slow batch is posted in parts, each request once', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  const { batchId, items } = await dieAfterWriting(spender, [1, 2, 3]);
  // Ends before it begins: two readings of the clock can show the same microsecond.
  const turn = () => db.pool.query(`select * from ledger_post_batches($1, interval '-1 second')`, [[batchId]]);
  expect((await turn()).rows).toEqual([{ request_id: items[0]!.id, charged_nanos: '1' }]);
  expect((await turn()).rows).toEqual([{ request_id: items[1]!.id, charged_nanos: '2' }]);
  expect(await postEach(db.pool, [batchId])).toEqual(new Map([[items[2]!.id, 3n]]));
  expect(await pendingBatchIds(db.pool)).toEqual([]);
  expect(await balance()).toBe(99_994n);
});

test('a batch that the database executes too late is not written', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  const items = [settlementOf(spender, 'hold_none', 10)];
  const write = (notAfterMs: number) =>
    writeBatch(db.pool, { id: newId('batch'), processId: 'proc_gone', items, notAfterMs });
  const nowMs = await readClock(db.pool);
  expect(await write(nowMs)).toBe(false);
  expect(await pendingBatchIds(db.pool)).toEqual([]);
  expect(await write(nowMs + 60_000)).toBe(true);
  expect(await balance()).toBe(99_990n);
});

test('a batch that two processes post concurrently is billed once', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  for (let round = 0; round < 10; round += 1) {
    const { batchId } = await dieAfterWriting(spender, [10, 20]);
    const own = settleBatches(db.pool, [batchId], []);
    await Promise.allSettled([own, postBatches(db.pool, [batchId])]);
    await db.ledger.reap();
  }
  expect(await balance()).toBe(99_700n);
  await expectSoundLedger(db);
});

describe('a settlement that violates a rule', () => {
  test('stays on disk and is reported by the ledger check, and the others of its batch are billed', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const { batchId, items } = await dieAfterWriting(spender, [1]);
    const broken = brokenOf(items[0]!);
    const other = newId('batch');
    await writeBatch(db.pool, {
      id: other,
      processId: 'proc_gone',
      items: [broken, { ...items[0]!, id: newId('req') }],
    });
    await postBatches(db.pool, [batchId, other]);
    expect(await pendingBatchIds(db.pool)).toEqual([]);
    expect(await refusalsFound()).toEqual([expect.stringContaining(`request ${broken.id} of workspace`)]);
    expect(await balance()).toBe(99_998n);
    await forgetRefused();
  });

  test('is billed by the sweep when it no longer violates it, from the free balance', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
    const { batchId, items } = await dieAfterWriting(spender, [300]);
    const broken = brokenOf(items[0]!);
    await db.pool.query('update settlement_batches set settlements = $2 where id = $1', [batchId, batchText([broken])]);
    await db.ledger.reap();
    await db.ledger.reap();
    expect(await refusalsFound()).toHaveLength(1);
    expect(await balance()).toBe(1_000n);
    await db.pool.query(
      `update settlement_batches set settlements = replace(settlements, ',,200,', ',text,200,'),
        written_at = now() - interval '2 minutes' where refusal is not null`,
    );
    await db.ledger.reap();
    expect(await balance()).toBe(700n);
    await expectSoundLedger(db);
  });

  test('of a dead process does not prevent the others from being ended', async () => {
    const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
    const { items } = await dieAfterWriting(spender, [5]);
    const { rows } = await db.pool.query('select process_id from holds where id = $1', [items[0]!.hold]);
    for (const item of [brokenOf(items[0]!), { ...items[0]!, id: newId('req'), cost: 7, charge: 7 }])
      await db.pool.query('insert into request_progress (request_id, process_id, settlement) values ($1, $2, $3)', [
        item.id,
        rows[0].process_id,
        JSON.stringify(item),
      ]);
    expect(await db.ledger.reap()).toMatchObject({ processesReaped: 1, holdsReleased: 1 });
    expect(await balance()).toBe(99_988n);
    expect(await refusalsFound()).toHaveLength(1);
    await forgetRefused();
    await expectSoundLedger(db);
  });
});

/** A settlement that violates a constraint. */
const brokenOf = (item: Settlement): Settlement => ({ ...item, id: newId('req'), model: null as unknown as string });

async function refusalsFound(): Promise<string[]> {
  const { violations } = await checkInvariants(db.pool);
  return violations.filter(({ rule }) => rule === 'no settlement is refused').map(({ detail }) => detail);
}

const forgetRefused = () => db.pool.query('delete from settlement_batches where refusal is not null');

test('one sweep bills everything that a busy process left on disk', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  const { items } = await dieAfterWriting(spender, [0]);
  const { rows } = await db.pool.query('select process_id from holds where id = $1', [items[0]!.hold]);
  for (let batch = 0; batch < 12; batch += 1) {
    const charged = Array.from({ length: 256 }, () => settlementOf(spender, items[0]!.hold, batch === 7 ? 1 : 0));
    await writeBatch(db.pool, { id: newId('batch'), processId: rows[0].process_id as string, items: charged });
  }
  await db.ledger.reap();
  expect(await pendingBatchIds(db.pool)).toEqual([]);
  expect(await balance()).toBe(99_744n);
  await expectSoundLedger(db);
});

test('a thousand concurrent calls are all billed, and nothing stays on disk', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 10_000_000n });
  await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      await db.ledger.settleWithin(20_000, await db.ledger.hold(spender, 100n), billOf(spender, 7n));
    }),
  );
  await db.ledger.posted();
  expect(await balance()).toBe(9_993_000n);
  expect(await pendingBatchIds(db.pool)).toEqual([]);
  await db.ledger.freeSlices(spender.accountId);
  await expectSoundLedger(db);
});

test('answered calls can be read although new calls never stop', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 10_000_000n });
  const over = new AbortController();
  const call = async (more: object = {}) => {
    const bill = billOf(spender, 1n, more);
    await db.ledger.settleWithin(20_000, await db.ledger.hold(spender, 10n), bill);
    return bill.requestId;
  };
  const busy = Array.from({ length: 16 }, async () => {
    while (!over.signal.aborted) await call();
  });
  try {
    for (let round = 0; round < 20; round += 1) {
      const requestId = await call();
      await db.ledger.posted();
      const { rowCount } = await db.pool.query('select from requests where id = $1', [requestId]);
      expect(rowCount).toBe(1);
    }
  } finally {
    over.abort();
  }
  await Promise.all(busy);
  await db.ledger.posted();
  await db.ledger.freeSlices(spender.accountId);
  await expectSoundLedger(db);
});
