import { containing } from '../postgres/likePattern.ts';
import type { Rows } from '../postgres/rows.ts';

/** Something of a workspace that a person may look for. */
export interface Found {
  object: FoundObject;
  id: string;
  /** What people call it: a key's name, an agent, a route. */
  name: string;
  createdAt: Date;
}

export type FoundObject = keyof typeof BY_ID | keyof typeof BY_NAME;

/** What is found by its whole id. A workspace's other rows may have the same one in another table. */
const BY_ID = {
  request: `select id, coalesce(model, route) as name, at as "createdAt" from (
    select id, model, route, settled_at as at from requests where workspace_id = $1 and id = $2
    union all select id, model, route, created_at from refused_calls where workspace_id = $1 and id = $2 limit 1) one`,
  run: `select id, agent as name, created_at as "createdAt" from runs
    where workspace_id = $1 and id = $2 and deleted_at is null`,
  session: `select id, coalesce(title, '') as name, created_at as "createdAt" from sessions
    where workspace_id = $1 and id = $2 and deleted_at is null`,
  batch: `select id, endpoint as name, created_at as "createdAt" from batches where workspace_id = $1 and id = $2`,
  file: `select id, filename as name, created_at as "createdAt" from files
    where workspace_id = $1 and id = $2 and deleted_at is null`,
  invoice: `select id, number as name, created_at as "createdAt" from invoices where workspace_id = $1 and (id = $2 or number = upper($2))`,
  payment: `select id, status as name, created_at as "createdAt" from topups where workspace_id = $1 and id = $2`,
};

/** What is found by its id, or by a part of its name. `$3` is that part as a pattern. */
const BY_NAME = {
  api_key: `select id, name, created_at as "createdAt" from api_keys
    where workspace_id = $1 and member_user_id is null
      and (id = $2 or starts_with(prefix, $2) or name ilike $3)`,
  project: `select id, name, created_at as "createdAt" from projects
    where workspace_id = $1 and (id = $2 or name ilike $3)`,
  agent: `select id, namespace || '/' || slug as name, created_at as "createdAt" from agents
    where workspace_id = $1 and deleted_at is null and (id = $2 or namespace || '/' || slug ilike $3 or draft->>'name' ilike $3)`,
  schedule: `select id, coalesce(name, '') as name, created_at as "createdAt" from schedules
    where workspace_id = $1 and deleted_at is null and (id = $2 or name ilike $3)`,
  webhook_endpoint: `select id, url as name, created_at as "createdAt" from webhook_endpoints
    where workspace_id = $1 and deleted_at is null and (id = $2 or url ilike $3 or description ilike $3)`,
};

const ALL: Record<string, string> = { ...BY_ID, ...BY_NAME };

/** The most results of one kind. */
const EACH_MAX = 5;

/** The rows of the given kinds with this id, or whose names contain the text. At most five of a kind, the newest first. */
export async function findNamed(rows: Rows, objects: readonly FoundObject[], text: string): Promise<Found[]> {
  if (objects.length === 0) return [];
  const parts = objects.map(
    (object) =>
      `(select '${object}' as object, f.* from (${ALL[object]}) f order by "createdAt" desc limit ${EACH_MAX})`,
  );
  const values = [rows.workspaceId, text, containing(text)];
  // Every statement has all values, whether or not its parts use them.
  const sql = `select f.* from (${parts.join(' union all ')}) f where $3::text is not null and $2::text is not null`;
  return rows.transaction(async (tx) => {
    // A call of an archived month becomes visible.
    if (objects.includes('request') && text.startsWith('req_')) await tx.archive.join(tx, { ids: [text] });
    return (await tx.client.query<Found>(sql, values)).rows;
  });
}
