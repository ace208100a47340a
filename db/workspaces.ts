import type { Pool } from 'pg';
import { newId } from './ids.ts';

/** Makes a workspace with its account. Returns its id. */
export async function createWorkspace(pool: Pool, name: string): Promise<string> {
  const workspaceId = newId('ws');
  await pool.query(
    `with w as (insert into workspaces (id, name) values ($1, $2))
     insert into accounts (id, workspace_id, kind) values ($3, $1, 'customer')`,
    [workspaceId, name, newId('acct')],
  );
  return workspaceId;
}
