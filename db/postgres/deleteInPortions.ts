import type { Queryable } from './queryable.ts';

// A statement of this size stays well within its time limit.
const PORTION_ROWS = 5_000;

/**
 * Deletes the rows of a table that match a condition, in portions, until none are left: one statement for all would reach its time limit
 * and delete nothing. The condition needs an index. Returns their number. `key`: the
 * unique column that partitions are made by, for a table of several: a row's place is unique in its partition alone.
 */
export async function deleteInPortions(
  client: Queryable,
  table: string,
  condition: string,
  { key }: { key?: string } = {},
): Promise<number> {
  const found = (column: string) => `select ${column} from ${table} where ${condition} limit ${PORTION_ROWS}`;
  const text = key
    ? `delete from ${table} using (${found(`${key} as old_key`)}) old where ${table}.${key} = old.old_key`
    : `delete from ${table} where ctid = any (array(${found('ctid')}))`;
  for (let deleted = 0; ;) {
    const { rowCount } = await client.query(text);
    deleted += rowCount!;
    if (rowCount! < PORTION_ROWS) return deleted;
  }
}
