import type { Pool } from 'pg';

/** Makes a session; one of this id that is already there is left as it is. */
export async function createSession(
  pool: Pool,
  {
    id,
    workspaceId,
    title,
    metadata,
  }: { id: string; workspaceId: string; title: string | null; metadata: Record<string, string> },
): Promise<void> {
  await pool.query(
    'insert into sessions (id, workspace_id, title, metadata) values ($1, $2, $3, $4) on conflict (id) do nothing',
    [id, workspaceId, title, JSON.stringify(metadata)],
  );
}
