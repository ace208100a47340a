import type { Pool } from 'pg';
import { releaseFiles } from '../files/releaseFiles.ts';
import { entryNotFound } from '../files/storageRefused.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { fileIdsOf } from './deleteSession.ts';
import { countChange, lockSession } from './lockSession.ts';

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
