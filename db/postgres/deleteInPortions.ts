import type { Queryable } from './queryable.ts';

// A statement of this size stays well within its time limit.
const PORTION_ROWS = 5_000;

/**
 * Deletes the rows of a table that match a condition, in portions, until none are left: one statement for all would reach its time limit
 * and delete nothing. The condition needs an index; `values` are its parameters. Returns their number. `rowsMax`: fewer rows a statement,
 * where they are large. `key`: the unique column that partitions are made by, for a table of several: a row's place is unique in its
 * partition alone.
 */
export async function deleteInPortions(
  client: Queryable,
  table: string,
  condition: string,
  { key, values = [], rowsMax = PORTION_ROWS }: { key?: string; values?: string[]; rowsMax?: number } = {},
): Promise<number> {
  const found = (column: string) => `select ${column} from ${table} where ${condition} limit ${rowsMax}`;
  const text = key
    ? `delete from ${table} using (${found(`${key} as old_key`)}) old where ${table}.${key} = old.old_key`
    : `delete from ${table} where ctid = any (array(${found('ctid')}))`;
  for (let deleted = 0; ;) {
    const { rowCount } = await client.query(text, values);
    deleted += rowCount!;
    if (rowCount! < rowsMax) return deleted;
  }
}
