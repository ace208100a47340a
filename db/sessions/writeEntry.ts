import type { ClientBase } from 'pg';
import type { StoredBytes } from '../files/openUpload.ts';
import { publishUpload } from '../files/publishUpload.ts';
import { releaseFiles } from '../files/releaseFiles.ts';
import { nameConflict } from '../files/storageRefused.ts';
import { newId } from '../ids.ts';
import { checkDirectory, insertEntry } from './addEntry.ts';
import { countChange, lockSession, type LockedSession } from './lockSession.ts';

const OLD_REVISION_DAYS = 30;

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
  await releaseFiles(client, [oldFileId], { keepDays: OLD_REVISION_DAYS });
}

const CHILD = `
select e.id, e.kind, e.file_id, f.size_bytes from session_entries e left join files f on f.id = e.file_id
where e.session_id = $1 and e.parent_id is not distinct from $2 and e.name = $3`;
