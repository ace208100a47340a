import { newId } from './ids.ts';
import type { Queryable } from './postgres/queryable.ts';

export interface Workspace {
  id: string;
  name: string;
  createdAt: Date;
}

/** Makes a workspace with its account. Returns its id. */
export async function createWorkspace(pool: Queryable, name: string): Promise<string> {
  const workspaceId = newId('ws');
  await pool.query(
    // Not the transaction's time: the first of several made together must be the oldest.
    `with w as (insert into workspaces (id, name, created_at) values ($1, $2, clock_timestamp()))
     insert into accounts (id, workspace_id, kind) values ($3, $1, 'customer')`,
    [workspaceId, name, newId('acct')],
  );
  return workspaceId;
}

/** Every workspace, oldest first. For operators: a caller sees only their own. */
export async function listWorkspaces(pool: Queryable): Promise<Workspace[]> {
  const { rows } = await pool.query<Workspace>(`${SELECT} order by created_at, id`);
  return rows;
}

/** The oldest workspace, or undefined before there is one. */
export async function findFirstWorkspace(pool: Queryable): Promise<Workspace | undefined> {
  const { rows } = await pool.query<Workspace>(`${SELECT} order by created_at, id limit 1`);
  return rows[0];
}

/** The workspace with that id, or undefined. */
export async function findWorkspace(pool: Queryable, id: string): Promise<Workspace | undefined> {
  const { rows } = await pool.query<Workspace>(`${SELECT} where id = $1`, [id]);
  return rows[0];
}

/** The platform's own workspace: of the agents that come with it, of the trials of reviews, and of operators. Undefined before the bootstrap. */
export async function findPlatformWorkspaceId(pool: Queryable): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    `select workspace_id as id from namespaces where name = 'ledgerline'`,
  );
  return rows[0]?.id;
}

const SELECT = 'select id, name, created_at as "createdAt" from workspaces';
