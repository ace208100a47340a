import { afterAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { setTestDatabase } from '../../support/database.ts';

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
  for (let nth = 0; nth < 50; nth += 1) {
    const id = await inTransaction(db.pool, async (client) => {
      const { rows } = await client.query(`insert into processes (id, lease_until) values ($1, now()) returning id`, [
        `proc_visible_${nth}`,
      ]);
      return rows[0].id as string;
    });
    const { rows } = await db.pool.query('select id from processes where id = $1', [id]);
    expect(rows).toEqual([{ id }]);
  }
});
