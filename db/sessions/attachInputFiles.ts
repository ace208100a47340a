import { extname } from 'node:path';
import type { ClientBase } from 'pg';
import { fileNotFound } from '../files/upload.ts';
import { newId } from '../ids.ts';
import { addEntry } from './changeEntries.ts';
import { lockSession } from './sessions.ts';

/** A file of a run's input, and where its session has it. */
export interface InputFile {
  fileId: string;
  entryId: string;
  name: string;
}

/**
 * Puts the files of a run's input into its session, in the caller's transaction: each at the top unless the session has it already, and
 * under a name of its own. Throws `StorageRefused` with `session_not_found`, `file_not_found`, `file_too_large`, `storage_limit_exceeded`.
 */
export async function attachInputFiles(
  client: ClientBase,
  { workspaceId, sessionId, fileIds }: { workspaceId: string; sessionId: string; fileIds: string[] },
): Promise<InputFile[]> {
  const attached: InputFile[] = [];
  for (const fileId of new Set(fileIds))
    attached.push(
      (await findEntry(client, sessionId, fileId)) ?? (await attach(client, { workspaceId, sessionId, fileId })),
    );
  return attached;
}

async function findEntry(client: ClientBase, sessionId: string, fileId: string): Promise<InputFile | undefined> {
  const { rows } = await client.query(HELD, [sessionId, fileId]);
  return rows[0] && { fileId, entryId: rows[0].id, name: rows[0].name };
}

async function attach(
  client: ClientBase,
  { workspaceId, sessionId, fileId }: { workspaceId: string; sessionId: string; fileId: string },
): Promise<InputFile> {
  const { rows } = await client.query('select filename from files where id = $1 and workspace_id = $2', [
    fileId,
    workspaceId,
  ]);
  if (rows.length === 0) throw fileNotFound(fileId);
  const name = await freeName(client, sessionId, rows[0].filename);
  const entryId = newId('ent');
  // Locked anew for each file: the room that is left is less by the one before.
  const session = await lockSession(client, { workspaceId, sessionId });
  await addEntry(client, session, { id: entryId, parentId: null, name, fileId });
  return { fileId, entryId, name };
}

async function freeName(client: ClientBase, sessionId: string, filename: string): Promise<string> {
  const { rows } = await client.query('select name from session_entries where session_id = $1 and parent_id is null', [
    sessionId,
  ]);
  const taken = new Set(rows.map(({ name }) => name as string));
  const extension = extname(filename);
  const stem = filename.slice(0, filename.length - extension.length);
  let name = filename;
  for (let count = 2; taken.has(name); count += 1) name = `${stem} (${count})${extension}`;
  return name;
}

const HELD = `
select e.id, e.name from session_entries e join files f on f.id = e.file_id
where e.session_id = $1 and e.file_id = $2 and f.deleted_at is null and (f.expires_at is null or f.expires_at > now()) limit 1`;
