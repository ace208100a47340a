import type { ClientBase, Pool } from 'pg';
import { releaseFiles } from '../files/releaseFiles.ts';
import { StorageRefused } from '../files/storageRefused.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { lockSession } from './lockSession.ts';

/**
 * Deletes a session with its files; its runs stay. Throws `session_not_found`, and `session_busy` while a run of it has not ended.
 */
export function deleteSession(pool: Pool, workspaceId: string, sessionId: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    await lockSession(client, { workspaceId, sessionId });
    await refuseBusy(client, sessionId);
    const { rows } = await client.query('delete from session_entries where session_id = $1 returning file_id', [
      sessionId,
    ]);
    await releaseFiles(client, fileIdsOf(rows));
    await client.query('update sessions set deleted_at = now(), updated_at = now(), stored_bytes = 0 where id = $1', [
      sessionId,
    ]);
  });
}

/** Throws `session_busy` while a run of the session has not ended. The session is locked: no new one begins. */
export async function refuseBusy(client: ClientBase, sessionId: string): Promise<void> {
  const { rowCount } = await client.query('select from runs where session_id = $1 and settled_at is null limit 1', [
    sessionId,
  ]);
  if (rowCount) throw new StorageRefused('session_busy', 'A run of this session has not ended. Cancel it, or wait.');
}

/** The files among entries that were removed. */
export function fileIdsOf(entries: { file_id: string | null }[]): string[] {
  return entries.map(({ file_id }) => file_id).filter((id) => id !== null);
}
