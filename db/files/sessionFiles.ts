import type { InferEntity } from '@mikro-orm/core';
import type { Session } from '../entities/session.ts';
import type { AnyTransaction } from '../postgres/rows.ts';
import { SESSION_BYTES_MAX, sessionNotFound, StorageRefused } from './upload.ts';

/** A session with its files locked until the transaction ends. */
export type LockedSession = InferEntity<typeof Session>;

/**
 * Locks a session's files for a change. Throws `session_not_found` for a session that is unknown, of another workspace, or deleted, and
 * `directory_changed` when its directories are not at the expected generation.
 */
export async function lockSession(
  { em, Session, LockMode }: AnyTransaction,
  { sessionId, ifGeneration }: { sessionId: string; ifGeneration?: number },
): Promise<LockedSession> {
  const isThere = { id: sessionId, deletedAt: null };
  const session = await em.findOne(Session, isThere, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!session) throw sessionNotFound(sessionId);
  const { directoryGeneration } = session;
  if (ifGeneration !== undefined && ifGeneration !== directoryGeneration) throw directoryChanged(directoryGeneration);
  return session;
}

/**
 * Counts a change of a locked session's files: increments the generation, also in the given row, and returns it. Throws
 * `storage_limit_exceeded`.
 */
export async function countChange(
  { em, Session, sql }: AnyTransaction,
  session: LockedSession,
  { addedBytes }: { addedBytes: number },
): Promise<number> {
  session.storedBytes += addedBytes;
  session.directoryGeneration += 1;
  const { id, storedBytes, directoryGeneration } = session;
  if (addedBytes > 0 && storedBytes > SESSION_BYTES_MAX) throw storageLimitExceeded();
  await em.nativeUpdate(Session, { id }, { storedBytes, directoryGeneration, updatedAt: sql.now() });
  return directoryGeneration;
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

/** Throws `session_busy` while a run of the session is open. The session is locked: no new one begins. */
export async function refuseBusy(tx: AnyTransaction, sessionId: string): Promise<void> {
  if (await isBusy(tx, sessionId))
    throw new StorageRefused('session_busy', 'A run of this session has not ended. Cancel it, or wait.');
}

/** Whether a run of the session is open. */
export async function isBusy({ em, Run }: AnyTransaction, sessionId: string): Promise<boolean> {
  return (await em.count(Run, { sessionId, settledAt: null })) > 0;
}
