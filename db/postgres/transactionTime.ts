import type { Queryable } from './queryable.ts';

/** When the transaction began, by the database's clock: it dates what the transaction writes. */
export async function transactionTime(client: Queryable): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select now() as now');
  return rows[0]!.now;
}
