import { exactTimeSql, placeIn, placeOf } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';
import type { RunRow, RunStatus } from './runRow.ts';

interface TaskFilter {
  agent: string | null;
  sessionId: string | null;
  statuses: RunStatus[] | null;
  /** ISO 8601. */
  changedAfter: string | null;
  /** Only tasks after this place in the list. */
  after: string | null;
  limit: number;
}

/**
 * The workspace's runs as tasks, the last changed ones first, and how many match in all. `next`: the cursor of the last task if more
 * follow. A task that changes between two pages moves to the front of the list.
 */
export async function readTasks(
  rows: Rows,
  { agent, sessionId, statuses, changedAfter, after, limit }: TaskFilter,
): Promise<{ runs: RunRow[]; next: string | null; total: number }> {
  const filter = [rows.workspaceId, agent, sessionId, statuses, changedAfter];
  return rows.transaction(async ({ client }) => {
    const counted = await client.query<{ total: number }>(`select count(*)::int as total ${MATCHING}`, filter);
    // One more than requested shows whether there are more.
    const { id, exactTime } = after === null ? { id: null, exactTime: null } : placeIn(after);
    const found = await client.query<Listed>(LIST, [...filter, id, exactTime, limit + 1]);
    const next = found.rows.length > limit ? placeOf(found.rows[limit - 1]!) : null;
    return { runs: found.rows.slice(0, limit), next, total: counted.rows[0]!.total };
  });
}

type Listed = RunRow & { exactTime: string };

const CHANGED = 'greatest(created_at, started_at, completed_at)';

const MATCHING = `
from runs where workspace_id = $1 and deleted_at is null
  and ($2::text is null or agent = $2) and ($3::text is null or session_id = $3) and ($4::text[] is null or status = any ($4))
  and ($5::timestamptz is null or ${CHANGED} >= $5)`;

const LIST = `
select *, ${exactTimeSql(CHANGED)} as "exactTime" ${MATCHING}
  and ($6::text is null or (${CHANGED}, id) < (coalesce($7::timestamptz, (select ${CHANGED} from runs where id = $6 and workspace_id = $1)), $6))
order by ${CHANGED} desc, id desc limit $8`;
