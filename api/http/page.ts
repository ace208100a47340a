import { z } from 'zod';
import type { Context } from '../context.ts';
import { presentPage } from './documentedRoute.ts';
import type { Cursors } from './signedCursor.ts';

/** The members `limit` and `cursor` of a list's query. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().min(1).max(500).optional(),
};

export interface PageInput {
  limit: number;
  cursor?: string;
}

/** At most `limit` rows after the position `after`: a row's id, or `next` of the previous page. */
export interface Page {
  after: string | null;
  limit: number;
}

/** The next page begins after the last row's id, or at `next` for rows that are not ordered by an id. */
type Read<Row> = { rows: (Row & { id: string })[]; hasMore: boolean } | { rows: Row[]; next: string | null };

export type ReadPage<Row> = (page: Page) => Promise<Read<Row>>;

interface List<Row> {
  /** The list's name and filters: its cursors are valid only for these. */
  list: string;
  read: ReadPage<Row>;
}

/** Answers with the page that `limit` and `cursor` of the query select. Throws 422 `validation_error` for a cursor of another list. */
export async function answerPage<Row, Entry>(
  ctx: Context<PageInput>,
  cursors: Cursors,
  { present, ...list }: List<Row> & { present: (row: Row) => Entry | Promise<Entry> },
): Promise<void> {
  const { rows, nextCursor } = await readRows(ctx, cursors, list);
  ctx.body = presentPage(await Promise.all(rows.map(present)), nextCursor);
}

/** The rows of that page and the next cursor, for lists with additional members. */
export async function readRows<Row>(
  ctx: Context<PageInput>,
  cursors: Cursors,
  { list, read }: List<Row>,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const { workspaceId } = ctx.state.key;
  const { limit, cursor } = ctx.state.input;
  const after = cursor === undefined ? null : cursors.read(workspaceId, list, cursor);
  const page = await read({ after, limit });
  const next = nextOf(page);
  return { rows: page.rows, nextCursor: next === null ? null : cursors.write(workspaceId, list, next) };
}

/** Where the next page begins; null after the last one. */
export function nextOf<Row>(page: Read<Row>): string | null {
  if ('next' in page) return page.next;
  return page.hasMore ? page.rows.at(-1)!.id : null;
}

/** A page of a list in OpenAI's form: its clients send `last_id` as `after` for the next page. */
export const presentOpenAiPage = <Entry extends { id: string }>(data: Entry[], hasMore: boolean) => ({
  object: 'list' as const,
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
});

export const openAiPageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({
    object: z.literal('list'),
    data: z.array(entry),
    first_id: z.string().nullable(),
    last_id: z.string().nullable().describe('Send it as `after` for the next page.'),
    has_more: z.boolean(),
  });
