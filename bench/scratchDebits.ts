import { Pool } from 'pg';

const CREDIT = 1_000_000_000_000_000n;

const TABLES = `
  create table bench_balances (id int primary key, amount bigint not null);
  create table bench_debits (id bigint generated always as identity primary key, balance_id int not null, amount bigint not null,
    created_at timestamptz not null default now());
  insert into bench_balances values (1, ${CREDIT});
`;

/**
 * What the ledger is compared with: a guarded update and a row, in a transaction for each debit, on one balance.
 * Each of `connections` waiters has a connection of its own. The tables live as long as `work`.
 */
export async function withScratchDebits<T>(
  url: string,
  connections: number,
  work: (debit: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const pool = new Pool({ connectionString: url, max: connections });
  await pool.query(TABLES);
  try {
    return await work(() => debitOnce(pool));
  } finally {
    await pool.query('drop table bench_debits, bench_balances');
    await pool.end();
  }
}

async function debitOnce(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'bench_update',
      text: 'update bench_balances set amount = amount - $1 where id = 1 and amount >= $1',
      values: [70_000],
    });
    await client.query({
      name: 'bench_insert',
      text: 'insert into bench_debits (balance_id, amount) values (1, $1)',
      values: [70_000],
    });
    await client.query('commit');
  } finally {
    client.release();
  }
}
