import { z } from 'zod';
import type { Context } from '../context.ts';
import { presentPage } from './documentedRoute.ts';
import type { Cursors } from './signedCursor.ts';

/** The members `limit` and `cursor` of a list's query. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(500).optional(),
};

interface List<Row, Entry> {
  /** The list's name and filters: its cursors are valid only for these. */
  list: string;
  /** Reads at most `limit` rows after the one with the id `after`. */
  read: (page: { after: string | null; limit: number }) => Promise<{ rows: Row[]; hasMore: boolean }>;
  present: (row: Row) => Entry | Promise<Entry>;
}

/** Answers with the page that `limit` and `cursor` of the query select. Throws 422 `validation_error` for a cursor of another list. */
export async function answerPage<Row extends { id: string }, Entry>(
  ctx: Context,
  cursors: Cursors,
  { list, read, present }: List<Row, Entry>,
): Promise<void> {
  const { workspaceId } = ctx.state.key;
  const { limit, cursor } = ctx.state.input as { limit: number; cursor?: string };
  const after = cursor === undefined ? null : cursors.read(workspaceId, list, cursor);
  const { rows, hasMore } = await read({ after, limit });
  const next = hasMore ? cursors.write(workspaceId, list, rows.at(-1)!.id) : null;
  ctx.body = presentPage(await Promise.all(rows.map(present)), next);
}
