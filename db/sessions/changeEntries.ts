import type { ClientBase, Pool } from 'pg';
import {
  DIRECTORY_DEPTH_MAX,
  FILE_BYTES_MAX,
  SESSION_ENTRIES_MAX,
  entryNotFound,
  fileNotFound,
  fileTooLarge,
  nameConflict,
  StorageRefused,
} from '../files/upload.ts';
import { releaseFiles, countChange, type LockedSession, lockSession, fileIdsOf } from './sessions.ts';
import { newId } from '../ids.ts';
import { inTransaction } from '../postgres/transaction.ts';

/** What goes into a directory of a session: a file that exists, or (without one) a directory. */
interface NewEntry {
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

/** Where an entry goes: what is not given stays. */
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
  pool: Pool,
  {
    id,
    change,
    ...where
  }: { workspaceId: string; sessionId: string; id: string; change: EntryChange; ifGeneration?: number },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const session = await lockSession(client, where);
    const { rows } = await client.query(
      'select name, parent_id from session_entries where id = $1 and session_id = $2',
      [id, session.id],
    );
    if (rows.length === 0) throw entryNotFound(id);
    const { name = rows[0].name as string, parentId = rows[0].parent_id as string | null } = change;
    if (parentId !== rows[0].parent_id) await checkMove(client, session.id, { id, parentId });
    await move(client, { id, sessionId: session.id, name, parentId });
    await countChange(client, session, { addedBytes: 0 });
  });
}

async function checkMove(
  client: ClientBase,
  sessionId: string,
  { id, parentId }: { id: string; parentId: string | null },
): Promise<void> {
  await checkDirectory(client, sessionId, parentId);
  const { rows } = await client.query(LEVELS, [id, parentId]);
  if (rows[0].is_inside)
    throw new StorageRefused('directory_cycle', 'A directory cannot be moved into itself or into what is in it.');
  if (rows[0].above + rows[0].below > DIRECTORY_DEPTH_MAX)
    throw new StorageRefused('storage_limit_exceeded', `Directories are at most ${DIRECTORY_DEPTH_MAX} levels deep.`);
}

async function move(
  client: ClientBase,
  { id, sessionId, name, parentId }: { id: string; sessionId: string; name: string; parentId: string | null },
): Promise<void> {
  const { rowCount } = await client.query(TAKEN, [sessionId, parentId, name, id]);
  if (rowCount) throw nameConflict(name);
  await client.query('update session_entries set name = $2, parent_id = $3, updated_at = now() where id = $1', [
    id,
    name,
    parentId,
  ]);
}

const TAKEN = `
select from session_entries where session_id = $1 and parent_id is not distinct from $2 and name = $3 and id <> $4`;

/** Whether the new parent lies within the moved entry, and how many levels come together. */
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
 * Removes a file or a directory with all that is in it. Returns the generation after it. Throws `session_not_found`,
 * `entry_not_found` and `directory_changed`.
 */
export function removeEntry(
  pool: Pool,
  { id, ...where }: { workspaceId: string; sessionId: string; id: string; ifGeneration?: number },
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const session = await lockSession(client, where);
    const { rows } = await client.query(REMOVE, [id, session.id]);
    if (rows.length === 0) throw entryNotFound(id);
    const removedBytes = rows.reduce((sum, { size_bytes: size }) => sum + Number(size ?? 0), 0);
    await releaseFiles(client, fileIdsOf(rows));
    return countChange(client, session, { addedBytes: -removedBytes });
  });
}

const REMOVE = `
with recursive down as (
  select id from session_entries where id = $1 and session_id = $2
  union all select e.id from session_entries e join down on e.parent_id = down.id),
removed as (delete from session_entries where id in (select id from down) returning file_id)
select removed.file_id, f.size_bytes from removed left join files f on f.id = removed.file_id`;
