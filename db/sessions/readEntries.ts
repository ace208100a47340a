import type { InferEntity } from '@mikro-orm/core';
import type { SaveOperation } from '../entities/session.ts';
import type { EntryRevision, SessionEntry } from '../entities/session.ts';
import { readFiles, type StoredFile } from '../files/files.ts';
import { entryNotFound, notDirectory, sessionNotFound } from '../files/upload.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { isBusy } from '../files/sessionFiles.ts';

type EntryRow = InferEntity<typeof SessionEntry>;

/** A file or a directory of a session. `path` is relative to the session, its parts separated by '/'. */
export type Entry = EntryRow & { path: string; file: StoredFile | null };

/** The newest step of a run that wrote files. */
export type Saving = InferEntity<typeof SaveOperation>;

/** One page of a directory, and the save state of the session's files. */
export interface EntryPage {
  entries: Entry[];
  hasMore: boolean;
  generation: number;
  isBusy: boolean;
  /** Null when no run ever wrote files. */
  saving: Saving | null;
}

interface Page {
  sessionId: string;
  parentId: string | null;
  /** The name after which the page starts. */
  after: string | null;
  limit: number;
}

/** A page of a directory by name; `parentId` null is the top. Throws `session_not_found`, `entry_not_found`, `not_a_directory`. */
export function listEntries(rows: Rows, { sessionId, parentId, after, limit }: Page): Promise<EntryPage> {
  return rows.transaction(async (tx) => {
    const { em, SaveOperation, SessionEntry, sql } = tx;
    const generation = await generationOf(tx, sessionId);
    if (parentId !== null) await checkIsDirectory(tx, sessionId, parentId);
    const isVisible = hasVisibleFile(sql);
    const isLater = after === null ? {} : { name: { $gt: after } };
    const found = await em.find(
      SessionEntry,
      { sessionId, parentId, ...isLater, [isVisible]: [] },
      { orderBy: { name: 'asc' }, limit: limit + 1 },
    );
    const [saving] = await em.find(SaveOperation, { sessionId }, { orderBy: { createdAt: 'desc' }, limit: 1 });
    return {
      entries: await withFiles(tx, found.slice(0, limit), parentId),
      hasMore: found.length > limit,
      generation,
      isBusy: await isBusy(tx, sessionId),
      saving: saving ?? null,
    };
  });
}

/** A condition on rows with a file: it is not deleted. An expired file is hidden, although its row exists until the next sweep. */
const hasVisibleFile = (sql: Transaction['sql']) => sql`(file_id is null or exists (select from files f
  where f.id = file_id and f.deleted_at is null and (f.expires_at is null or f.expires_at > ledger_now(f.workspace_id))))`;

/** One entry of a session. Throws `entry_not_found`. */
export function findEntry(
  rows: Rows,
  { sessionId, id }: { sessionId: string; id: string },
): Promise<{ entry: Entry; generation: number }> {
  return rows.transaction(async (tx) => {
    const generation = await generationOf(tx, sessionId);
    const row = await tx.em.findOne(tx.SessionEntry, { id, sessionId });
    if (!row) throw entryNotFound(id);
    const [entry] = await withFiles(tx, [row], row.parentId);
    return { entry: entry!, generation };
  });
}

/** A present or former content of a file. */
export type Revision = InferEntity<typeof EntryRevision> & { file: StoredFile; isCurrent: boolean };

/**
 * The contents of a file, newest first: the present one, and earlier ones as long as their bytes are kept. A directory has none. Throws
 * `session_not_found`, `entry_not_found`.
 */
export function listRevisions(
  rows: Rows,
  { sessionId, id, ...page }: { sessionId: string; id: string } & PageQuery,
): Promise<{ rows: Revision[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    await generationOf(tx, sessionId);
    const entry = await tx.em.findOne(tx.SessionEntry, { id, sessionId });
    if (!entry) throw entryNotFound(id);
    const found = await readPage(tx, tx.EntryRevision, { entryId: id, [hasVisibleFile(tx.sql)]: [] }, page);
    const files = new Map(
      (
        await readFiles(
          tx,
          found.rows.map(({ fileId }) => fileId),
        )
      ).map((file) => [file.id, file]),
    );
    const withFile = found.rows.map((row) => ({
      ...row,
      file: files.get(row.fileId)!,
      isCurrent: row.id === entry.revisionId,
    }));
    return { rows: withFile.filter(({ file }) => file), hasMore: found.hasMore };
  });
}

async function generationOf({ em, Session }: Transaction, id: string): Promise<number> {
  const session = await em.findOne(Session, { id, deletedAt: null });
  if (!session) throw sessionNotFound(id);
  return session.directoryGeneration;
}

/** Entries of one directory, with their paths and files. */
async function withFiles(tx: Transaction, rows: EntryRow[], parentId: string | null): Promise<Entry[]> {
  const fileIds = rows.map(({ fileId }) => fileId).filter((id) => id !== null);
  const files = new Map((await readFiles(tx, fileIds)).map((file) => [file.id, file]));
  const prefix = await pathOf(tx, parentId);
  return rows.map((row) => ({ ...row, path: prefix + row.name, file: files.get(row.fileId ?? '') ?? null }));
}

async function checkIsDirectory({ em, SessionEntry }: Transaction, sessionId: string, id: string): Promise<void> {
  const parent = await em.findOne(SessionEntry, { id, sessionId });
  if (!parent) throw entryNotFound(id, 'parent_id');
  if (parent.kind !== 'directory') throw notDirectory(parent.name);
}

async function pathOf({ client }: Transaction, directoryId: string | null): Promise<string> {
  if (directoryId === null) return '';
  const { rows } = await client.query<{ name: string }>(ANCESTORS, [directoryId]);
  return rows.map(({ name }) => `${name}/`).join('');
}

// Raw: the ORM has no recursive queries of entities.
const ANCESTORS = `
with recursive up as (
  select parent_id, name, 1 as level from session_entries where id = $1
  union all select e.parent_id, e.name, up.level + 1 from session_entries e join up on e.id = up.parent_id where up.level < 100)
select name from up order by level desc`;
