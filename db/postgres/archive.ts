import { ObjectStoreFailed } from '../objects/objectStore.ts';
import type { Queryable } from './queryable.ts';

/** A time, and a later one (excluded); open where it is missing. */
export interface Span {
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * What a transaction needs of archived months: calls by their ids with their entries, those of a time, or what was booked after a time for
 * calls that began by then.
 */
export type Wanted = { ids: string[] } | { within: Span } | { bookedAfter: Date };

/** The archive of months, for those who read rows. */
export interface Archive {
  /** The lines of an account's entries that it has, by their numbers. */
  linesOf(client: Queryable, range: { accountId: string; first: bigint; last: bigint }): Promise<Map<bigint, string>>;
  /** Whether some month is archived. */
  hasMonths(client: Queryable): Promise<boolean>;
  /**
   * Makes archived calls and entries of the workspace visible to the later statements of the transaction, beside the rows of the database.
   * Repeated calls add to it.
   */
  join(tx: { client: Queryable; workspaceId: string }, wanted: Wanted): Promise<void>;
  /**
   * The times of a workspace's archived rows within a span, as parts that are read together, the newest first: each begins where the next
   * one ends.
   */
  parts(tx: { client: Queryable; workspaceId: string }, within: Span): Promise<Required<Span>[]>;
  /** The workspace of an archived call; undefined: it has no call with this id. Reads the ids of a month. */
  workspaceOf(client: Queryable, id: string): Promise<string | undefined>;
}

/** What needs an archive that this process does not have: less is never answered instead. */
export const archiveNotSet = (what: string): ObjectStoreFailed =>
  new ObjectStoreFailed(`${what} in the archive of months: set ARCHIVE_FOLDER or FILES_S3_URL as for the worker`);

interface Reader {
  client: Queryable;
  workspaceId: string;
  archive: Archive;
}

/** A list that goes back in time. */
interface BackwardList<Page> {
  /** What it is limited to. */
  within: Span;
  /** Reads the page from what is visible. */
  read: () => Promise<Page>;
  /** The time of the last row of a full page; undefined for a page with room for older rows. */
  reaches: (page: Page) => Date | undefined;
}

/** Reads a page of a list that goes back in time, with as many parts of archived months as it needs, the newest first. */
export async function withArchived<Page>(tx: Reader, { within, read, reaches }: BackwardList<Page>): Promise<Page> {
  let page = await read();
  if (!(await tx.archive.hasMonths(tx.client))) return page;
  for (const part of await tx.archive.parts(tx, within)) {
    const reached = reaches(page);
    if (reached && reached >= part.to) return page;
    await tx.archive.join(tx, { within: part });
    page = await read();
  }
  return page;
}

/** Makes the archived rows of a time visible to the later statements of the transaction, also what was `bookedAfter` it for calls of it. */
export async function joinArchived(
  tx: Reader,
  within: Span,
  { bookedAfter }: { bookedAfter?: Date } = {},
): Promise<void> {
  if (!(await tx.archive.hasMonths(tx.client))) return;
  await tx.archive.join(tx, { within });
  if (bookedAfter) await tx.archive.join(tx, { bookedAfter });
}
