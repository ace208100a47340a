import { busOf } from '../postgres/heldNotices.ts';
import { sendNotice } from '../postgres/notices.ts';
import type { Queryable } from '../postgres/queryable.ts';

/** A prepared statement that raises a run's counter of events, in two forms: with NOTIFY in it, and for a bus without. */
export interface Noticed {
  withNotify: { name: string; text: string };
  withoutNotify: { name: string; text: string };
}

const NOTIFY = `
pg_notify('ledgerline', json_build_object('kind', 'run', 'runId', run.id, 'sequence', run.last_sequence)::text)`;

/** Both forms of a statement; `textOf` gets the expression of its notice, over the part `run`. */
export const noticed = (name: string, textOf: (notice: string) => string): Noticed => ({
  withNotify: { name, text: textOf(NOTIFY) },
  withoutNotify: { name: `${name}_quietly`, text: textOf('null') },
});

/**
 * Runs such a statement and tells the run's followers: at the commit by the database, or right after it over the bus. `noticeOf` gets
 * the row that the statement returns; without one, nothing has happened.
 */
export async function queryNoticed<Row extends object>(
  client: Queryable,
  { withNotify, withoutNotify }: Noticed,
  values: unknown[],
  noticeOf: (row: Row) => { runId: string; sequence: number },
): Promise<Row[]> {
  const isQuiet = busOf(client) !== undefined;
  const { rows } = await client.query<Row>({ ...(isQuiet ? withoutNotify : withNotify), values });
  if (isQuiet && rows[0]) await sendNotice(client, { kind: 'run', ...noticeOf(rows[0]) });
  return rows;
}
