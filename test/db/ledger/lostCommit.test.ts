import { expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { billOf, makeSpender, openHoldsOf, openLedger, openOtherLedger, poolWith } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

const db = await openLedger();

/** A pool whose postings are undone after they were answered, as a database crash undoes asynchronous commits. */
function forgetful(pool: Pool) {
  let forgotten = 0;
  const forgets = poolWith(pool, async (statement, ...values) => {
    if (statement.name !== 'ledger_settle_batches') return pool.query(statement as never, ...(values as never[]));
    const client = await pool.connect();
    await client.query('begin');
    const result: unknown = await client.query(statement as { text: string; values: unknown[] });
    await client.query('rollback');
    client.release();
    forgotten += 1;
    return result;
  });
  return { pool: forgets, forgotten: () => forgotten };
}

test('a bill whose posting the database lost is posted before the money that covers it is returned', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const posting = forgetful(db.pool);
  const ledger = await openOtherLedger(db, {
    postingPool: posting.pool,
    onError: (error) => {
      throw error;
    },
  });
  await ledger.settle(await ledger.hold(spender, 100n), billOf(spender, 100n));
  await until(() => posting.forgotten() === 1);
  await ledger.freeSlices(spender.accountId);
  const { rows } = await db.pool.query('select posted_nanos from accounts where id = $1', [spender.accountId]);
  expect(rows).toEqual([{ posted_nanos: '900' }]);
  expect(await openHoldsOf(db, spender.accountId)).toEqual({ nanos: 0n, count: 0 });
  await ledger.close();
});
