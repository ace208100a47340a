import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const HALF_TRANSFER = `
insert into ledger_legs (transaction_id, leg, account_id, kind, subject, amount_nanos)
values (nextval('ledger_transaction_ids'), 1, 'revenue', 'revenue', $1, 1)`;

test('what the database refuses is an error for the caller, and leaves nothing', async () => {
  const half = inTransaction(db.pool, (client) => client.query(HALF_TRANSFER, ['half a transfer']));
  await expect(half).rejects.toThrow('must sum to zero');
  const { rows } = await db.pool.query(`select from ledger_entries where subject = 'half a transfer'`);
  expect(rows).toEqual([]);
});

test('what was done is visible to others as soon as it is returned', async () => {
  const owner = new Client({ connectionString: ownerUrlOf(db.url) });
  await owner.connect();
  // The commit itself takes a while.
  await owner.query(`
    create function commit_slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.3); return null; end';
    create constraint trigger slow after insert on processes deferrable initially deferred
      for each row when (new.id = 'proc_visible') execute function commit_slowly();`);
  await owner.end();
  await inTransaction(db.pool, (client) =>
    client.query(`insert into processes (id, lease_until) values ('proc_visible', now())`),
  );
  const { rows } = await db.pool.query(`select id from processes where id = 'proc_visible'`);
  expect(rows).toEqual([{ id: 'proc_visible' }]);
});
