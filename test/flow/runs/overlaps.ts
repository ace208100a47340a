import type { Pool } from 'pg';

/** The most runs of a workspace that had begun and not ended at once. */
export async function mostAtOnce(pool: Pool, workspaceId: string): Promise<number> {
  const { rows } = await pool.query<{ most: number }>(MOST, [workspaceId]);
  return rows[0]!.most;
}

// At the beginning of each run: those that have begun by then and end after it.
const MOST = `
select coalesce(max(open), 0)::int as most from (
  select (select count(*) from runs o where o.workspace_id = $1 and o.started_at <= r.started_at
    and (o.settled_at is null or o.settled_at > r.started_at)) as open
  from runs r where r.workspace_id = $1 and r.started_at is not null) at`;
