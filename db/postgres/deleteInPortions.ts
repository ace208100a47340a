import type { Queryable } from './queryable.ts';

// A statement of this size stays well within its time limit.
const PORTION_ROWS = 5_000;

/**
 * Deletes the rows of a table that match a condition, in portions, until none are left: one statement for all would reach its time limit
 * and delete nothing. The condition needs an index. Returns their number.
 */
export async function deleteInPortions(client: Queryable, table: string, condition: string): Promise<number> {
  const text = `delete from ${table} where ctid = any (array(select ctid from ${table} where ${condition} limit ${PORTION_ROWS}))`;
  for (let deleted = 0; ;) {
    const { rowCount } = await client.query(text);
    deleted += rowCount!;
    if (rowCount! < PORTION_ROWS) return deleted;
  }
}
