import type { Rows } from '../postgres/rows.ts';
import type { RunRow, RunStatus } from './runRow.ts';

interface TaskFilter {
  agent: string | null;
  sessionId: string | null;
  statuses: RunStatus[] | null;
  /** ISO 8601. */
  changedAfter: string | null;
  /** Only tasks before this one in the list. */
  beforeId: string | null;
  limit: number;
}

/** The workspace's runs as tasks, the last changed ones first, whether more follow, and how many match in all. */
export async function readTasks(
  rows: Rows,
  { agent, sessionId, statuses, changedAfter, beforeId, limit }: TaskFilter,
): Promise<{ runs: RunRow[]; hasMore: boolean; total: number }> {
  const filter = [rows.workspaceId, agent, sessionId, statuses, changedAfter];
  return rows.transaction(async ({ client }) => {
    const counted = await client.query<{ total: number }>(`select count(*)::int as total ${MATCHING}`, filter);
    // One more than requested shows whether there are more.
    const found = await client.query<RunRow>(LIST, [...filter, beforeId, limit + 1]);
    const hasMore = found.rows.length > limit;
    return { runs: found.rows.slice(0, limit), hasMore, total: counted.rows[0]!.total };
  });
}

const CHANGED = 'greatest(created_at, started_at, completed_at)';

const MATCHING = `
from runs where workspace_id = $1 and deleted_at is null
  and ($2::text is null or agent = $2) and ($3::text is null or session_id = $3) and ($4::text[] is null or status = any ($4))
  and ($5::timestamptz is null or ${CHANGED} >= $5)`;

const LIST = `
select * ${MATCHING}
  and ($6::text is null or (${CHANGED}, id) < (select ${CHANGED}, id from runs where id = $6 and workspace_id = $1))
order by ${CHANGED} desc, id desc limit $7`;
