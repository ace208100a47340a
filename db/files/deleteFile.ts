import type { Pool } from 'pg';
import { refuseBusy } from '../sessions/deleteSession.ts';
import { countChange, lockSession } from '../sessions/lockSession.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { fileNotFound, StorageRefused } from './storageRefused.ts';

/**
 * Deletes a file and removes it from every session that holds it. Throws `file_not_found`, and `session_busy` while a run of such a
 * session has not ended.
 */
export function deleteFile(pool: Pool, workspaceId: string, id: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows: holders } = await client.query(HOLDERS, [id, workspaceId]);
    // Sessions before the file, in the order of their ids: the order in which everybody locks them.
    for (const { session_id: sessionId } of holders) {
      const session = await lockSession(client, { workspaceId, sessionId });
      await refuseBusy(client, sessionId);
      const { rows } = await client.query(REMOVE, [id, sessionId]);
      for (const { size_bytes: size } of rows) await countChange(client, session, { addedBytes: -Number(size) });
    }
    const { rowCount } = await client.query(DELETE, [id, workspaceId]);
    if (rowCount === 0) throw fileNotFound(id);
    const { rowCount: added } = await client.query('select from session_entries where file_id = $1', [id]);
    if (added) throw new StorageRefused('session_busy', 'A session takes this file at this moment. Try again.');
  });
}

const HOLDERS = `
select distinct session_id from session_entries where file_id = $1 and workspace_id = $2 order by session_id`;

const REMOVE = `
delete from session_entries e using files f
where e.file_id = $1 and e.session_id = $2 and f.id = e.file_id returning f.size_bytes`;

const DELETE = `
update files set deleted_at = now(), expires_at = now()
where id = $1 and workspace_id = $2 and deleted_at is null and (expires_at is null or expires_at > now())`;
