import type { Pool } from 'pg';
import type { StoredBytes } from '../files/openUpload.ts';
import { publishUpload } from '../files/publishUpload.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { addEntry } from './addEntry.ts';
import { lockSession } from './lockSession.ts';

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
    const session = await lockSession(client, place);
    await addEntry(client, session, { ...place, fileId });
  });
}

/** Puts uploaded bytes into a session as a file of its own. Throws what `addEntry` and `lockSession` throw. */
export function addSessionFile(
  pool: Pool,
  { bytes, mediaType, ...place }: Place & { bytes: StoredBytes; mediaType: string },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const session = await lockSession(client, place);
    const { workspaceId, sessionId, name: filename } = place;
    const file = { id: fileIdOf(place.id), workspaceId, sessionId, filename, mediaType };
    await publishUpload(client, bytes, { ...file, purpose: 'agent_input', expiresInSeconds: null });
    await addEntry(client, session, { ...place, fileId: file.id });
  });
}

// The file of an entry that is made twice is the same file.
const fileIdOf = (entryId: string) => entryId.replace(/^[a-z]+_/, 'file_');
