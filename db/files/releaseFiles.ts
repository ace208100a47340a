import type { ClientBase } from 'pg';

/**
 * Deletes those of the files that were made for a session and that no entry names any more, in the caller's transaction. Their bytes go
 * with the next sweep. `keepDays` leaves them readable so long, for those who know their id.
 */
export async function releaseFiles(client: ClientBase, ids: string[], { keepDays = 0 } = {}): Promise<void> {
  if (ids.length > 0) await client.query(keepDays > 0 ? EXPIRE : DELETE, keepDays > 0 ? [ids, keepDays] : [ids]);
}

const UNNAMED = `
id = any($1) and session_id is not null and deleted_at is null
  and not exists (select from session_entries e where e.file_id = files.id)`;

const DELETE = `update files set deleted_at = now(), expires_at = now() where ${UNNAMED}`;

const EXPIRE = `update files set expires_at = least(expires_at, now() + make_interval(days => $2)) where ${UNNAMED}`;
