import type { Queryable } from '../postgres/queryable.ts';
import type { AnyRows } from '../postgres/rows.ts';

/** How many calls and entries are later than all months that have partitions, up to some thousand. */
export async function countLater(rows: AnyRows): Promise<{ kind: string; count: number }[]> {
  const found = await rows.statement(({ client }) => client.query<{ kind: string; count: number }>(LATER));
  return found.rows;
}

const later = (table: string, id: string) => `
select '${table}' as kind, count(*)::int as count from (
  select from ${table} where ${id} >= (select max(first_id) from ledger_months) and ${id} < 'req_zzzzzzzz' limit 10000) l`;
const LATER = `${later('requests', 'id')} union all ${later('ledger_legs', 'subject')}`;

/** Makes the partitions of the next months. Returns their number: mostly zero, as when calls under way hold the tables for long. */
export async function openMonths(client: Queryable): Promise<number> {
  try {
    const { rows } = await client.query<{ made: number }>('select ledger_open_months() as made');
    return rows[0]!.made;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return 0;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Ends a month: from then on its rows are final. Refuses while the month goes on, while an entry of it is not covered by a signed root, or
 * while something waits to be settled.
 */
export const sealMonth = (client: Queryable, month: string): Promise<void> =>
  atLength(client, 'select ledger_seal_month($1)', [month]);

/** What proves an archived month: the numbers of its rows, the sums of its entries by account, and whatever else the archive knows. */
export interface MonthProof {
  calls: number;
  entries: number;
  /** In nano-USD as text. */
  sums: Record<string, string>;
  [member: string]: unknown;
}

/** Records that a sealed month is archived. Refuses a proof of other rows. */
export const recordArchive = (client: Queryable, month: string, proof: MonthProof): Promise<void> =>
  atLength(client, 'select ledger_record_archive($1, $2)', [month, JSON.stringify(proof)]);

/** Drops the rows of an archived month, and carries its sums forward. */
export const dropMonth = (client: Queryable, month: string): Promise<void> =>
  atLength(client, 'select ledger_drop_month($1)', [month]);

const TIMEOUT_MS = 900_000;

/** A statement that reads a whole month: it takes minutes for many millions of calls. Within a transaction. */
async function atLength(client: Queryable, text: string, values: string[]): Promise<void> {
  await client.query(`set local statement_timeout = ${TIMEOUT_MS}`);
  const query = { text, values, query_timeout: TIMEOUT_MS };
  await client.query(query);
}
