import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Pool, QueryResult } from 'pg';
import { openDatabase } from '../../../db/database.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { connectTimeoutMsOf, openPool, startTimeoutMsOf } from '../../../db/postgres/pool.ts';
import { makeDatabase } from '../../support/database.ts';
import { startProxy } from '../../support/network.ts';
import { readSources } from '../../support/sources.ts';
import { until } from '../../support/until.ts';

test.each([
  ['', 2_000, 20_000],
  ['?connect_timeout=60', 60_000, 60_000],
  ['?connect_timeout=0', 2_000, 20_000],
  ['?connect_timeout=soon', 2_000, 20_000],
])(
  'the timeout for a connection to an address that ends in "%s" is %d ms, and %d at the start',
  (end, usualMs, startMs) => {
    const url = `postgres://ledgerline:secret@127.0.0.1:5432/ledgerline${end}`;
    expect([connectTimeoutMsOf(url), startTimeoutMsOf(url)]).toEqual([usualMs, startMs]);
  },
);

test('a starting process waits longer for its database than a request does', async () => {
  const database = await makeDatabase();
  const url = new URL(database.url);
  const proxy = await startProxy(url.host);
  try {
    proxy.pause();
    url.host = proxy.address;
    url.searchParams.delete('connect_timeout');
    const opening = openDatabase({ url: url.href, spends: true, onError: () => {} });
    // Awaited below; until then a rejection must not be unhandled.
    opening.catch(() => {});
    await sleep(2 * connectTimeoutMsOf(url.href));
    proxy.resume();
    const db = await opening;
    expect(db.ledger.healthy()).toBe(true);
    await db.close();
  } finally {
    await proxy.stop();
    await database.drop();
  }
});

describe('when one more connection does not open in time', () => {
  test.each<[string, (pool: Pool) => Promise<QueryResult>]>([
    ['a statement', (pool) => pool.query('select 1 as one')],
    ['a transaction', (pool) => inTransaction(pool, (client) => client.query('select 1 as one'))],
  ])('%s takes one that has become free', async (_what, work) => {
    await withSlowPool(async (pool, proxy) => {
      const busy = await pool.connect();
      proxy.pause();
      const answer = work(pool);
      // Awaited below; until then a rejection must not be unhandled.
      answer.catch(() => {});
      await until(() => pool.totalCount === 2);
      busy.release();
      await until(() => pool.totalCount === 1);
      proxy.resume();
      expect((await answer).rows).toEqual([{ one: 1 }]);
    });
  });

  test('and there is no other, a statement fails', async () => {
    await withSlowPool(async (pool, proxy) => {
      proxy.pause();
      await expect(pool.query('select 1 as one')).rejects.toThrow('connection timeout');
      expect(pool.totalCount).toBe(0);
    });
  });
});

/** A pool of two connections, with a second for each to open, through a proxy that can be paused. */
async function withSlowPool(
  work: (pool: Pool, proxy: Awaited<ReturnType<typeof startProxy>>) => Promise<void>,
): Promise<void> {
  const database = await makeDatabase();
  const url = new URL(database.url);
  const proxy = await startProxy(url.host);
  url.host = proxy.address;
  url.searchParams.set('connect_timeout', '1');
  const pool = openPool({ url: url.href, max: 2, settings: undefined, onError: () => {} });
  try {
    await work(pool, proxy);
  } finally {
    await pool.end();
    await proxy.stop();
    await database.drop();
  }
}

test('a statement that the database may run longer is awaited as long', () => {
  const longer = readSources().filter(
    ({ text, folder }) => folder !== 'test' && text.includes('set local statement_timeout'),
  );
  expect(longer.filter(({ text }) => !text.includes('query_timeout')).map(({ path }) => path)).toEqual([]);
});

test('a connection that breaks while its pool closes it is no error', async () => {
  const database = await makeDatabase();
  const errors: string[] = [];
  const onError = (error: unknown) => errors.push((error as Error).message);
  const pool = openPool({ url: database.url, max: 1, settings: undefined, onError });
  await pool.query('select 1');
  const broken = new Error('terminating connection due to administrator command');
  pool.emit('error', broken, {});
  const ending = pool.end();
  pool.emit('error', broken, {});
  await ending;
  expect(errors).toEqual([broken.message]);
  await database.drop();
});
