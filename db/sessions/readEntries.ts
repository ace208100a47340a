import type { InferEntity } from '@mikro-orm/core';
import type { SaveOperation } from '../entities/session.ts';
import type { SessionEntry } from '../entities/session.ts';
import { readFiles, type StoredFile } from '../files/files.ts';
import { entryNotFound, sessionNotFound, StorageRefused } from '../files/upload.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { isBusy } from './sessions.ts';

type EntryRow = InferEntity<typeof SessionEntry>;

/** A file or a directory of a session. `path` is relative to the session, its parts separated by '/'. */
export type Entry = EntryRow & { path: string; file: StoredFile | null };

/** The newest step of a run that wrote files. */
export type Saving = InferEntity<typeof SaveOperation>;

/** One page of a directory, and how the session's files stand. */
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
    // An expired file is gone, although its entry is there until the next sweep.
    const isVisible = sql`(file_id is null or exists (select from files f
      where f.id = file_id and f.deleted_at is null and (f.expires_at is null or f.expires_at > now())))`;
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
  if (!parent) throw entryNotFound(id);
  if (parent.kind !== 'directory') throw new StorageRefused('not_a_directory', `'${parent.name}' is a file.`);
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
