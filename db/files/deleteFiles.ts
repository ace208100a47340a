import type { Pool, ClientBase } from 'pg';
import { inTransaction } from '../postgres/transaction.ts';
import { refuseBusy, countChange, lockSession } from '../sessions/sessions.ts';
import { fileNotFound, StorageRefused } from './upload.ts';

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

const FILES_PER_ROUND = 50;
// As many as the database removes well within a statement's time: the bytes of one large file.
const CHUNKS_PER_ROUND = 1_000;

/**
 * Removes files whose time has come: expired, deleted, or never uploaded to their end. Sessions that hold one lose it. Returns how many
 * files and chunks went; more than none means that there may be more.
 */
export async function pruneFiles(pool: Pool): Promise<number> {
  const { rows } = await pool.query(EXPIRED_ENTRIES, [FILES_PER_ROUND]);
  for (const { workspace_id: workspaceId, session_id: sessionId } of rows)
    await inTransaction(pool, (client) => removeExpired(client, workspaceId, sessionId));
  const chunks = await pool.query(REMOVE_CHUNKS, [FILES_PER_ROUND, CHUNKS_PER_ROUND]);
  const files = await pool.query(REMOVE_FILES, [FILES_PER_ROUND]);
  return (chunks.rowCount ?? 0) + (files.rowCount ?? 0);
}

async function removeExpired(client: ClientBase, workspaceId: string, sessionId: string): Promise<void> {
  const session = await lockSession(client, { workspaceId, sessionId });
  const { rows } = await client.query(REMOVE_ENTRIES, [sessionId]);
  const bytes = rows.reduce((sum, { size_bytes: size }) => sum + Number(size), 0);
  if (rows.length > 0) await countChange(client, session, { addedBytes: -bytes });
}

const EXPIRED_ENTRIES = `
select distinct e.workspace_id, e.session_id from files f join session_entries e on e.file_id = f.id
where f.expires_at < now() limit $1`;

const REMOVE_ENTRIES = `
delete from session_entries e using files f
where e.session_id = $1 and f.id = e.file_id and f.expires_at < now() returning f.size_bytes`;

/** Deleted files that no session uses any more. */
const GONE = `
gone as (
  select id from files f where expires_at < now() and not exists (select from session_entries e where e.file_id = f.id)
  order by expires_at limit $1 for update skip locked)`;

const REMOVE_CHUNKS = `
with ${GONE},
doomed as (select c.file_id, c.position from gone join file_chunks c on c.file_id = gone.id limit $2)
delete from file_chunks c using doomed d where c.file_id = d.file_id and c.position = d.position`;

const REMOVE_FILES = `
with ${GONE}
delete from files f using gone where f.id = gone.id and not exists (select from file_chunks c where c.file_id = f.id)`;
