import {
  DIRECTORY_DEPTH_MAX,
  FILE_BYTES_MAX,
  SESSION_ENTRIES_MAX,
  entryNotFound,
  fileNotFound,
  fileTooLarge,
  nameConflict,
  notDirectory,
  StorageRefused,
} from '../files/upload.ts';
import { countChange, lockSession, type LockedSession } from '../files/sessionFiles.ts';
import { findEntry } from './readEntries.ts';
import { fileIdsOf, releaseFiles } from './sessions.ts';
import { newId } from '../ids.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';

/** The content of a new entry: an existing file or (without one) a directory. */
interface NewEntry {
  id: string;
  parentId: string | null;
  name: string;
  fileId: string | null;
}

/**
 * Puts a file or directory into a locked session and counts the change. An existing entry of this id is unchanged. Throws
 * `entry_not_found`, `not_a_directory`, `file_not_found`, `file_too_large`, `name_conflict` and `storage_limit_exceeded`.
 */
export async function addEntry(tx: AnyTransaction, session: LockedSession, entry: NewEntry): Promise<void> {
  if ((await tx.em.count(tx.SessionEntry, { id: entry.id, sessionId: session.id })) > 0) return;
  const addedBytes = entry.fileId === null ? 0 : await sizeOf(tx, entry.fileId);
  await checkDirectory(tx, session.id, entry.parentId);
  await insertEntry(tx, session, entry);
  await countChange(tx, session, { addedBytes });
}

/** Throws unless the id is a directory of the session that can contain one more level; null is the top. */
export async function checkDirectory({ client }: AnyTransaction, sessionId: string, id: string | null): Promise<void> {
  if (id === null) return;
  const { rows } = await client.query(ANCESTORS, [id, sessionId, DIRECTORY_DEPTH_MAX + 1]);
  if (rows.length === 0) throw entryNotFound(id, 'parent_id');
  if (rows[0].kind !== 'directory') throw notDirectory(rows[0].name);
  if (rows.length >= DIRECTORY_DEPTH_MAX)
    throw new StorageRefused('storage_limit_exceeded', `Directories are at most ${DIRECTORY_DEPTH_MAX} levels deep.`);
}

/** Inserts one entry without counting it. Throws `name_conflict` and `storage_limit_exceeded`. */
export async function insertEntry(
  tx: AnyTransaction,
  session: LockedSession,
  { id, parentId, name, fileId }: NewEntry,
): Promise<void> {
  const { em, SessionEntry } = tx;
  const { id: sessionId, workspaceId } = session;
  if ((await em.count(SessionEntry, { sessionId })) >= SESSION_ENTRIES_MAX)
    throw new StorageRefused('storage_limit_exceeded', `A session has at most ${SESSION_ENTRIES_MAX} entries.`);
  const kind = fileId === null ? 'directory' : 'file';
  const revisionId = newId('rev');
  const { affectedRows } = await em
    .qb(SessionEntry)
    .insert({ id, workspaceId, sessionId, parentId, name, kind, fileId, revisionId })
    .onConflict(['sessionId', 'parentId', 'name'])
    .ignore()
    .execute('run');
  if (affectedRows === 0) throw nameConflict(name);
  if (fileId !== null) await recordRevision(tx, session, { revisionId, entryId: id, fileId });
}

/** Records the new content of an entry. Returns the id of the revision. */
export async function recordRevision(
  { em, EntryRevision }: AnyTransaction,
  { id: sessionId, workspaceId }: LockedSession,
  { revisionId = newId('rev'), entryId, fileId }: { revisionId?: string; entryId: string; fileId: string },
): Promise<string> {
  await em.insert(EntryRevision, { id: revisionId, workspaceId, sessionId, entryId, fileId });
  return revisionId;
}

async function sizeOf({ em, File, LockMode, unexpired }: AnyTransaction, fileId: string): Promise<number> {
  // Locked, so that it cannot be deleted before the entry refers to it.
  const isThere = { id: fileId, deletedAt: null, ...unexpired() };
  const file = await em.findOne(File, isThere, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!file) throw fileNotFound(fileId, 'file_id');
  if (file.sizeBytes > FILE_BYTES_MAX) throw fileTooLarge(FILE_BYTES_MAX);
  return file.sizeBytes;
}

// Raw here and below: the ORM has no recursive queries of entities.
/** From an entry up to the top. */
const ANCESTORS = `
with recursive up as (
  select id, parent_id, kind, name, 1 as level from session_entries where id = $1 and session_id = $2
  union all
  select e.id, e.parent_id, e.kind, e.name, up.level + 1 from session_entries e join up on e.id = up.parent_id where up.level < $3)
select id, kind, name from up order by level`;

/** The new place of an entry; omitted members stay. */
interface EntryChange {
  name?: string;
  /** Null is the top. */
  parentId?: string | null;
}

/**
 * Renames or moves a file or a directory. Throws `session_not_found`, `entry_not_found`, `not_a_directory`, `directory_cycle`,
 * `name_conflict`, `storage_limit_exceeded` and `directory_changed`.
 */
export function changeEntry(
  rows: Rows,
  { id, change, ...where }: { sessionId: string; id: string; change: EntryChange; ifGeneration?: number },
): ReturnType<typeof findEntry> {
  return rows.transaction(async (tx) => {
    const session = await lockSession(tx, where);
    const entry = await tx.em.findOne(tx.SessionEntry, { id, sessionId: session.id });
    if (!entry) throw entryNotFound(id);
    const { name = entry.name, parentId = entry.parentId } = change;
    if (parentId !== entry.parentId) await checkMove(tx, session.id, { id, parentId });
    await move(tx, { id, sessionId: session.id, name, parentId });
    await countChange(tx, session, { addedBytes: 0 });
    return findEntry(tx, { sessionId: session.id, id });
  });
}

async function checkMove(
  tx: AnyTransaction,
  sessionId: string,
  { id, parentId }: { id: string; parentId: string | null },
): Promise<void> {
  await checkDirectory(tx, sessionId, parentId);
  const { rows } = await tx.client.query(LEVELS, [id, parentId]);
  if (rows[0].is_inside)
    throw new StorageRefused('directory_cycle', 'A directory cannot be moved into itself or into what is in it.');
  if (rows[0].above + rows[0].below > DIRECTORY_DEPTH_MAX)
    throw new StorageRefused('storage_limit_exceeded', `Directories are at most ${DIRECTORY_DEPTH_MAX} levels deep.`);
}

async function move(
  { em, SessionEntry, sql }: AnyTransaction,
  { id, sessionId, name, parentId }: { id: string; sessionId: string; name: string; parentId: string | null },
): Promise<void> {
  if ((await em.count(SessionEntry, { sessionId, parentId, name, id: { $ne: id } })) > 0) throw nameConflict(name);
  await em.nativeUpdate(SessionEntry, { id }, { name, parentId, updatedAt: sql.now() });
}

/** Whether the new parent is inside the moved entry, and the resulting depth. */
const LEVELS = `
with recursive down as (
  select id, 1 as level from session_entries where id = $1
  union all select e.id, down.level + 1 from session_entries e join down on e.parent_id = down.id),
up as (
  select id, parent_id, 1 as level from session_entries where id = $2
  union all select e.id, e.parent_id, up.level + 1 from session_entries e join up on e.id = up.parent_id)
select (select coalesce(max(level), 0) from up) as above, (select max(level) from down) as below,
  exists (select from down where id = $2) as is_inside`;

/**
 * Removes a file, or a directory with its content. Returns the new generation. Throws `session_not_found`, `entry_not_found` and
 * `directory_changed`.
 */
export function removeEntry(
  rows: Rows,
  { id, ...where }: { sessionId: string; id: string; ifGeneration?: number },
): Promise<number> {
  return rows.transaction(async (tx) => {
    const session = await lockSession(tx, where);
    const removed = (await tx.client.query<{ fileId: string | null; sizeBytes: number }>(REMOVE, [id, session.id]))
      .rows;
    if (removed.length === 0) throw entryNotFound(id);
    await releaseFiles(tx, fileIdsOf(removed));
    return countChange(tx, session, { addedBytes: -removed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) });
  });
}

const REMOVE = `
with recursive down as (
  select id from session_entries where id = $1 and session_id = $2
  union all select e.id from session_entries e join down on e.parent_id = down.id),
removed as (delete from session_entries where id in (select id from down) returning file_id)
select removed.file_id as "fileId", coalesce(f.size_bytes, 0)::float8 as "sizeBytes" from removed left join files f on f.id = removed.file_id`;
