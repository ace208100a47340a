import { expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import type { Pool } from 'pg';
import { createLedger } from '../../../db/ledger/ledger.ts';
import { billOf, makeSpender, openHoldsOf, openLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

const { db } = await openLedger();

/** A pool whose postings are undone after they were answered, as a database crash undoes asynchronous commits. */
function forgetful(pool: Pool) {
  let forgotten = 0;
  const query = async (statement: { name?: string }, ...values: unknown[]): Promise<unknown> => {
    if (statement.name !== 'ledger_settle_batches') return pool.query(statement as never, ...(values as never[]));
    const client = await pool.connect();
    await client.query('begin');
    const result: unknown = await client.query(statement as { text: string; values: unknown[] });
    await client.query('rollback');
    client.release();
    forgotten += 1;
    return result;
  };
  return { pool: { query } as unknown as Pool, forgotten: () => forgotten };
}

test('a bill whose posting the database lost is posted before the money that covers it is returned', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const posting = forgetful(db.pool);
  const ledger = createLedger({
    pool: db.pool,
    writerPool: db.pool,
    postingPool: posting.pool,
    leaseMs: 20_000,
    reaps: false,
    readWaitMs: 60_000,
    journalFolder: tmpdir(),
    storeAnswers: async () => {},
    announceScarcity: () => {},
    announceReader: () => {},
    onError: (error) => {
      throw error;
    },
  });
  await ledger.open();
  await ledger.settle(await ledger.hold(spender, 100n), billOf(spender, 100n));
  await until(() => posting.forgotten() === 1);
  await ledger.freeSlices(spender.accountId);
  const { rows } = await db.pool.query('select posted_nanos from accounts where id = $1', [spender.accountId]);
  expect(rows).toEqual([{ posted_nanos: '900' }]);
  expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
  await ledger.close();
});
