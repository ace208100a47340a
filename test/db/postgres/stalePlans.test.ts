import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { isDatabaseDown } from '../../../db/postgres/databaseErrors.ts';
import { openPool } from '../../../db/postgres/pool.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';

// A process of the last release, with prepared statements on both of its connections, when a migration adds a column.
const database = await makeDatabase();
const pool = openPool({ url: ownerUrlOf(database.url), max: 2, settings: undefined, onError: () => {} });
await pool.query('create table migrated (id int); insert into migrated values (1)');
beforeEach(async () => {
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  for (const client of clients) await readAll(client);
  clients.forEach((client) => client.release());
  columns += 1;
  await pool.query(`alter table migrated add column c${columns} int`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

let columns = 0;
const readAll = (client: Pool | PoolClient) => client.query({ name: 'read_all', text: 'select * from migrated' });
const count = async (client: Pool | PoolClient) => Object.keys((await readAll(client)).rows[0]).length - 1;

test('a prepared statement goes on after a migration has added a column to its result', async () => {
  await expect(Promise.all([count(pool), count(pool), count(pool)])).resolves.toEqual([columns, columns, columns]);
});

test('so does a transaction that begins with it', async () => {
  await expect(Promise.all([inTransaction(pool, count), inTransaction(pool, count)])).resolves.toEqual([
    columns,
    columns,
  ]);
});

test('a later statement of a transaction fails once for all connections, as while the database is away', async () => {
  const late = inTransaction(pool, async (client) => {
    await client.query('insert into migrated values (2)');
    return readAll(client);
  });
  const failure: unknown = await late.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(isDatabaseDown(failure)).toBe(true);
  const { rows } = await pool.query('select from migrated where id = 2');
  expect(rows).toEqual([]);
  await expect(Promise.all([inTransaction(pool, count), count(pool)])).resolves.toEqual([columns, columns]);
});
