import type { ClientBase, Pool } from 'pg';
import { RETENTION_DAYS } from '../../base/limits.ts';
import { type StoredBytes, publishUpload, nameConflict } from '../files/upload.ts';
import { releaseFiles, countChange, lockSession, type LockedSession } from './sessions.ts';
import { newId } from '../ids.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { checkDirectory, insertEntry, addEntry } from './changeEntries.ts';

/**
 * Writes one file of a run at a path of its session, in the caller's transaction: makes the directories on the way, and replaces a file
 * that is there. Throws `StorageRefused`.
 */
export async function writeEntry(
  client: ClientBase,
  { workspaceId, sessionId }: { workspaceId: string; sessionId: string },
  { parts, mediaType, bytes, fileId }: { parts: string[]; mediaType: string; bytes: StoredBytes; fileId: string },
): Promise<void> {
  const session = await lockSession(client, { workspaceId, sessionId });
  const name = parts.at(-1)!;
  const parentId = await ensureDirectories(client, session, parts.slice(0, -1));
  const file = { id: fileId, workspaceId, sessionId, purpose: 'agent_output', filename: name, mediaType };
  await publishUpload(client, bytes, { ...file, expiresInSeconds: null });
  const old = await findChild(client, session.id, parentId, name);
  if (old?.kind === 'directory') throw nameConflict(name);
  if (old) await replace(client, { entryId: old.id, fileId, oldFileId: old.file_id! });
  else await insertEntry(client, session, { id: newId('ent'), parentId, name, fileId });
  await countChange(client, session, { addedBytes: bytes.sizeBytes - Number(old?.size_bytes ?? 0) });
}

async function ensureDirectories(client: ClientBase, session: LockedSession, names: string[]): Promise<string | null> {
  let parentId: string | null = null;
  for (const name of names) {
    const existing = await findChild(client, session.id, parentId, name);
    if (existing?.kind === 'file') throw nameConflict(name);
    const id: string = existing?.id ?? newId('ent');
    if (!existing) await insertEntry(client, session, { id, parentId, name, fileId: null });
    parentId = id;
  }
  await checkDirectory(client, session.id, parentId);
  return parentId;
}

interface Child {
  id: string;
  kind: 'file' | 'directory';
  file_id: string | null;
  size_bytes: string | null;
}

async function findChild(
  client: ClientBase,
  sessionId: string,
  parentId: string | null,
  name: string,
): Promise<Child | undefined> {
  const { rows } = await client.query<Child>(CHILD, [sessionId, parentId, name]);
  return rows[0];
}

async function replace(
  client: ClientBase,
  { entryId, fileId, oldFileId }: { entryId: string; fileId: string; oldFileId: string },
): Promise<void> {
  await client.query('update session_entries set file_id = $2, revision_id = $3, updated_at = now() where id = $1', [
    entryId,
    fileId,
    newId('rev'),
  ]);
  await releaseFiles(client, [oldFileId], { keepDays: RETENTION_DAYS });
}

const CHILD = `
select e.id, e.kind, e.file_id, f.size_bytes from session_entries e left join files f on f.id = e.file_id
where e.session_id = $1 and e.parent_id is not distinct from $2 and e.name = $3`;

/** Where a new entry goes and what it is called. `id` is chosen by the caller: the same id again makes nothing new. */
interface Place {
  workspaceId: string;
  sessionId: string;
  id: string;
  parentId: string | null;
  name: string;
  /** Set when the caller wants nothing to have changed since. */
  ifGeneration?: number;
}

/** Puts a file that exists, or (with null) a directory into a session. Throws what `addEntry` and `lockSession` throw. */
export function addSessionEntry(pool: Pool, { fileId, ...place }: Place & { fileId: string | null }): Promise<void> {
  return inTransaction(pool, async (client) => {
    const session = await lockForEntry(client, place);
    await addEntry(client, session, { ...place, fileId });
  });
}

/** Puts uploaded bytes into a session as a file of its own. Throws what `addEntry` and `lockSession` throw. */
export function addSessionFile(
  pool: Pool,
  { bytes, mediaType, ...place }: Place & { bytes: StoredBytes; mediaType: string },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const session = await lockForEntry(client, place);
    const { workspaceId, sessionId, name: filename } = place;
    const file = { id: fileIdOf(place.id), workspaceId, sessionId, filename, mediaType };
    await publishUpload(client, bytes, { ...file, purpose: 'agent_input', expiresInSeconds: null });
    await addEntry(client, session, { ...place, fileId: file.id });
  });
}

// An existing entry has changed the directories itself, so a retry compares with the state before it.
async function lockForEntry(client: ClientBase, { ifGeneration, ...place }: Place): Promise<LockedSession> {
  if (ifGeneration === undefined) return lockSession(client, place);
  const { rowCount } = await client.query('select from session_entries where id = $1', [place.id]);
  return lockSession(client, rowCount ? place : { ...place, ifGeneration });
}

// The file of an entry that is made twice is the same file.
const fileIdOf = (entryId: string) => entryId.replace(/^[a-z]+_/, 'file_');
