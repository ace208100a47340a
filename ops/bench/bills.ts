import { Client } from 'pg';

/**
 * The least that a server does which has each bill on the database's disk before it answers: one row of JSON in a table with one index, all
 * that came together in one statement. Resolves with a function that keeps the usage of an answer.
 */
export async function createBills(databaseUrl: string): Promise<(answer: string) => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(TABLE);
  let waiting: { bill: string; keep: PromiseWithResolvers<void> }[] = [];
  let isBusy = false;

  async function insert(): Promise<void> {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    const together = waiting;
    waiting = [];
    await client.query({ name: 'bills', text: INSERT, values: [together.map(({ bill }) => bill)] });
    isBusy = false;
    for (const { keep } of together) keep.resolve();
    void insert();
  }

  return (answer) => {
    const keep = Promise.withResolvers<void>();
    waiting.push({ bill: JSON.stringify((JSON.parse(answer) as { usage: object }).usage), keep });
    void insert();
    return keep.promise;
  };
}

const TABLE = `create table if not exists bench_bills (id bigint generated always as identity primary key, bill jsonb not null)`;
const INSERT = `insert into bench_bills (bill) select unnest($1::jsonb[])`;
