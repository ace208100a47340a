import { FATES } from '../erasure/fates.ts';
import type { Transaction } from '../postgres/rows.ts';

/** How an export finds the rows of a workspace in a table: by a parent's rows, or else by an index that begins with the workspace. */
interface Path {
  by?: { parent: string; key?: string; column: string };
  where?: string;
}

/**
 * Tables without an index by workspace, because each call or step would pay for it, that an erasure keeps; erased tables have theirs in
 * `FATES`.
 */
const PATHS: Record<string, Path[]> = {
  // Its own entries, and those beside its account.
  ledger_legs: [{ by: { parent: 'accounts', column: 'account_id' } }, { where: `t.kind in ('earning', 'absorbed')` }],
  // An ended hold of a call has returned the unbilled rest, and is deleted after a while.
  holds: [
    { by: { parent: 'accounts', column: 'account_id' }, where: `t.state = 'open' and t.kind <> 'run'` },
    { by: { parent: 'runs', key: 'hold_id', column: 'id' } },
  ],
  key_days: [{ by: { parent: 'api_keys', column: 'key_id' } }],
  rotated_secrets: [{ by: { parent: 'api_keys', column: 'key_id' } }],
  run_meters: [{ by: { parent: 'runs', column: 'run_id' } }],
};

const PARENTS_AT_ONCE = 500;
const ROWS_AT_ONCE = 2_000;

/** The ways to a table's rows; each row is on one of them. */
export function pathsTo(table: string): Path[] {
  const fate = FATES[table];
  return PATHS[table] ?? [fate?.fate === 'erased' && fate.by ? { by: fate.by } : {}];
}

/**
 * The rows of a workspace in a table, as JSON without these columns, in portions. The transaction's settings must permit only plain index
 * scans: then a statement reads only what it returns, whatever the size of the tables.
 */
export async function* readRows(
  tx: Transaction,
  table: string,
  { without, atOnce = ROWS_AT_ONCE }: { without: string[]; atOnce?: number | undefined },
): AsyncGenerator<string[]> {
  const select = (where: string) =>
    `select (to_jsonb(t) - $2::text[])::text as value from ${table} t where t.workspace_id = $1 and ${where}`;
  for (const { by, where = 'true' } of pathsTo(table)) {
    if (!by) {
      yield* follow(tx, { cursor: 'found_rows', text: select(where), values: [without], atOnce });
      continue;
    }
    const key = by.key ?? 'id';
    const parents = `select t.${key} as value from ${by.parent} t where t.workspace_id = $1 and t.${key} is not null`;
    const text = select(`t.${by.column} = any($3) and ${where}`);
    for await (const ids of follow(tx, { cursor: 'found_parents', text: parents, values: [], atOnce: PARENTS_AT_ONCE }))
      yield* follow(tx, { cursor: 'found_rows', text, values: [without, ids], atOnce });
  }
}

interface Query {
  cursor: string;
  text: string;
  /** The parameters after the workspace. */
  values: unknown[];
  atOnce: number;
}

// Raw: a cursor; JSON by the database, because its numbers are exact.
async function* follow({ client, workspaceId }: Transaction, { cursor, text, values, atOnce }: Query) {
  await client.query(`declare ${cursor} no scroll cursor for ${text}`, [workspaceId, ...values]);
  for (let found = atOnce; found === atOnce;) {
    const { rows } = await client.query<{ value: string }>(`fetch ${atOnce} from ${cursor}`);
    found = rows.length;
    if (found > 0) yield rows.map(({ value }) => value);
  }
  await client.query(`close ${cursor}`);
}
