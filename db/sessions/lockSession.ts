import type { ClientBase } from 'pg';
import { SESSION_BYTES_MAX } from '../files/limits.ts';
import { sessionNotFound, StorageRefused } from '../files/storageRefused.ts';

/** A session whose files nobody else changes until the transaction ends. */
export interface LockedSession {
  id: string;
  workspaceId: string;
  generation: number;
  storedBytes: number;
}

/**
 * Locks a session's files for a change. Throws `session_not_found` for one that is unknown, another's or deleted, and
 * `directory_changed` when its directories are not at the generation that the caller has seen.
 */
export async function lockSession(
  client: ClientBase,
  { workspaceId, sessionId, ifGeneration }: { workspaceId: string; sessionId: string; ifGeneration?: number },
): Promise<LockedSession> {
  const { rows } = await client.query(LOCK, [sessionId, workspaceId]);
  if (rows.length === 0) throw sessionNotFound(sessionId);
  const generation: number = rows[0].directory_generation;
  if (ifGeneration !== undefined && ifGeneration !== generation) throw directoryChanged(generation);
  return { id: sessionId, workspaceId, generation, storedBytes: Number(rows[0].stored_bytes) };
}

/** Counts a change in: the generation rises by one. Returns it. Throws `storage_limit_exceeded`. */
export async function countChange(
  client: ClientBase,
  { id, storedBytes }: LockedSession,
  { addedBytes }: { addedBytes: number },
): Promise<number> {
  if (addedBytes > 0 && storedBytes + addedBytes > SESSION_BYTES_MAX) throw storageLimitExceeded();
  const { rows } = await client.query(COUNT, [id, addedBytes]);
  return rows[0].directory_generation as number;
}

const directoryChanged = (generation: number) =>
  new StorageRefused(
    'directory_changed',
    `The session’s files have changed: their directory_generation is ${generation} now.`,
    generation,
  );

const storageLimitExceeded = () =>
  new StorageRefused(
    'storage_limit_exceeded',
    `The files of a session have at most ${SESSION_BYTES_MAX} bytes together.`,
  );

const LOCK = `
select directory_generation, stored_bytes from sessions
where id = $1 and workspace_id = $2 and deleted_at is null for update`;

const COUNT = `
update sessions set directory_generation = directory_generation + 1, stored_bytes = stored_bytes + $2, updated_at = now()
where id = $1 returning directory_generation`;
