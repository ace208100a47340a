import type { ClientBase, Pool } from 'pg';
import type { StoredBytes } from '../files/openUpload.ts';
import { publishUpload } from '../files/publishUpload.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { addEntry } from './addEntry.ts';
import { lockSession, type LockedSession } from './lockSession.ts';

/** Where a new entry goes and what it is called. `id` is chosen by the caller: the same id again makes nothing new. */
export interface Place {
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

// An entry that is there already has changed the directories itself: whoever makes it again has seen what was before it.
async function lockForEntry(client: ClientBase, { ifGeneration, ...place }: Place): Promise<LockedSession> {
  if (ifGeneration === undefined) return lockSession(client, place);
  const { rowCount } = await client.query('select from session_entries where id = $1', [place.id]);
  return lockSession(client, rowCount ? place : { ...place, ifGeneration });
}

// The file of an entry that is made twice is the same file.
const fileIdOf = (entryId: string) => entryId.replace(/^[a-z]+_/, 'file_');
