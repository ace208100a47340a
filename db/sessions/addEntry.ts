import type { ClientBase } from 'pg';
import { newId } from '../ids.ts';
import { DIRECTORY_DEPTH_MAX, FILE_BYTES_MAX, SESSION_ENTRIES_MAX } from '../files/limits.ts';
import { entryNotFound, fileNotFound, fileTooLarge, nameConflict, StorageRefused } from '../files/storageRefused.ts';
import { countChange, type LockedSession } from './lockSession.ts';

/** What goes into a directory of a session: a file that exists, or (without one) a directory. */
export interface NewEntry {
  id: string;
  parentId: string | null;
  name: string;
  fileId: string | null;
}

/**
 * Puts a file or a directory into a locked session and counts the change. An entry of this id that is already there is left as it is.
 * Throws `entry_not_found`, `not_a_directory`, `file_not_found`, `file_too_large`, `name_conflict` and `storage_limit_exceeded`.
 */
export async function addEntry(client: ClientBase, session: LockedSession, entry: NewEntry): Promise<void> {
  const { rowCount } = await client.query('select from session_entries where id = $1 and session_id = $2', [
    entry.id,
    session.id,
  ]);
  if (rowCount) return;
  const addedBytes = entry.fileId === null ? 0 : await sizeOf(client, session.workspaceId, entry.fileId);
  await checkDirectory(client, session.id, entry.parentId);
  await insertEntry(client, session, entry);
  await countChange(client, session, { addedBytes });
}

/** Throws unless the id is that of a directory of the session with room for one more level; null is the top. */
export async function checkDirectory(client: ClientBase, sessionId: string, id: string | null): Promise<void> {
  if (id === null) return;
  const { rows } = await client.query(ANCESTORS, [id, sessionId, DIRECTORY_DEPTH_MAX + 1]);
  if (rows.length === 0) throw entryNotFound(id);
  if (rows[0].kind !== 'directory') throw new StorageRefused('not_a_directory', `'${rows[0].name}' is a file.`);
  if (rows.length >= DIRECTORY_DEPTH_MAX)
    throw new StorageRefused('storage_limit_exceeded', `Directories are at most ${DIRECTORY_DEPTH_MAX} levels deep.`);
}

/** Inserts one entry without counting it. Throws `name_conflict` and `storage_limit_exceeded`. */
export async function insertEntry(client: ClientBase, session: LockedSession, entry: NewEntry): Promise<void> {
  const { rows } = await client.query('select count(*)::int from session_entries where session_id = $1', [session.id]);
  if (rows[0].count >= SESSION_ENTRIES_MAX)
    throw new StorageRefused('storage_limit_exceeded', `A session has at most ${SESSION_ENTRIES_MAX} entries.`);
  const { rowCount } = await client.query(INSERT, [
    entry.id,
    session.workspaceId,
    session.id,
    entry.parentId,
    entry.name,
    entry.fileId === null ? 'directory' : 'file',
    entry.fileId,
    newId('rev'),
  ]);
  if (rowCount === 0) throw nameConflict(entry.name);
}

async function sizeOf(client: ClientBase, workspaceId: string, fileId: string): Promise<number> {
  const { rows } = await client.query(SIZE, [fileId, workspaceId]);
  if (rows.length === 0) throw fileNotFound(fileId);
  const sizeBytes = Number(rows[0].size_bytes);
  if (sizeBytes > FILE_BYTES_MAX) throw fileTooLarge(FILE_BYTES_MAX);
  return sizeBytes;
}

// Locked, so that it is not deleted before the entry names it.
const SIZE = `
select size_bytes from files
where id = $1 and workspace_id = $2 and deleted_at is null and (expires_at is null or expires_at > now()) for share`;

/** From an entry up to the top. */
const ANCESTORS = `
with recursive up as (
  select id, parent_id, kind, name, 1 as level from session_entries where id = $1 and session_id = $2
  union all
  select e.id, e.parent_id, e.kind, e.name, up.level + 1 from session_entries e join up on e.id = up.parent_id where up.level < $3)
select id, kind, name from up order by level`;

const INSERT = `
insert into session_entries (id, workspace_id, session_id, parent_id, name, kind, file_id, revision_id)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (session_id, parent_id, name) do nothing`;
