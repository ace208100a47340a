import type { Pool } from 'pg';

/** A file of a session as a run sees it. Paths are relative, their parts separated by '/'. */
export interface RunFile {
  path: string;
  entryId: string;
  fileId: string;
  mediaType: string;
  sizeBytes: number;
}

/** All files of a session, by path; none for a session that is another workspace's or deleted. */
export async function sessionFilesOf(
  pool: Pool,
  { workspaceId, sessionId }: { workspaceId: string; sessionId: string },
): Promise<RunFile[]> {
  const query = { name: 'session_files', text: FILES, values: [sessionId, workspaceId] };
  return (await pool.query<RunFile>(query)).rows;
}

/** The whole content of a file of a session's size, or undefined when the workspace has no such file (any more). */
export async function readFileBytes(pool: Pool, workspaceId: string, fileId: string): Promise<Buffer | undefined> {
  const { rows } = await pool.query({ name: 'file_bytes', text: BYTES, values: [fileId, workspaceId] });
  return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ bytes }) => bytes ?? Buffer.alloc(0)));
}

const VISIBLE = 'f.deleted_at is null and (f.expires_at is null or f.expires_at > now())';

/** The files of a session as a query, whose columns are named as `RunFile`'s. Both arguments are SQL. */
export const filesQuery = (sessionId: string, workspaceId: string): string => `
with recursive tree as (
  select id, file_id, name as path from session_entries where session_id = ${sessionId} and workspace_id = ${workspaceId} and parent_id is null
  union all select e.id, e.file_id, tree.path || '/' || e.name from session_entries e join tree on e.parent_id = tree.id)
select tree.path, tree.id as "entryId", f.id as "fileId", f.media_type as "mediaType", f.size_bytes::float8 as "sizeBytes"
from tree join files f on f.id = tree.file_id where ${VISIBLE} order by tree.path`;

const FILES = filesQuery('$1', '$2');

const BYTES = `
select c.bytes from files f left join file_chunks c on c.file_id = f.id
where f.id = $1 and f.workspace_id = $2 and ${VISIBLE} order by c.position`;
