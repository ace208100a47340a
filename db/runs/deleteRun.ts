import type { ClientBase, Pool } from 'pg';
import { RETENTION_DAYS } from '../../base/limits.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { isTerminal, type RunStatus } from './runRow.ts';

const BATCH_RUNS = 200;

/** The result of deleting a run. Only `deleted` changed anything. */
export type Deletion =
  { outcome: 'not_found' } | { outcome: 'not_terminal'; status: RunStatus } | { outcome: 'deleted' };

/** Deletes the content of a finished run of the workspace. Its bill and its session's files stay. */
export function deleteRun(
  pool: Pool,
  { workspaceId, runId }: { workspaceId: string; runId: string },
): Promise<Deletion> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ status: RunStatus }>(LOCK, [runId, workspaceId]);
    if (!rows[0]) return { outcome: 'not_found' };
    const { status } = rows[0];
    if (!isTerminal(status)) return { outcome: 'not_terminal', status };
    await deleteContent(client, [runId]);
    await client.query('delete from run_events where run_id = $1', [runId]);
    await client.query('delete from run_feedback where run_id = $1', [runId]);
    await client.query(`update runs set deleted_at = now(), metadata = '{}', webhook_url = null where id = $1`, [
      runId,
    ]);
    return { outcome: 'deleted' };
  });
}

/** Deletes the content of runs that ended before their retention, oldest first, until none are left. Returns their number. */
export async function pruneRuns(pool: Pool): Promise<number> {
  for (let pruned = 0; ;) {
    const count = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: string }>(EXPIRED, [RETENTION_DAYS, BATCH_RUNS]);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await deleteContent(client, ids);
      return ids.length;
    });
    pruned += count;
    if (count < BATCH_RUNS) return pruned;
  }
}

// Events expire separately, each by its own time.
async function deleteContent(client: ClientBase, runIds: string[]): Promise<void> {
  await client.query('delete from run_steps where run_id = any ($1)', [runIds]);
  await client.query(EMPTY, [runIds]);
}

const LOCK = 'select status from runs where id = $1 and workspace_id = $2 and deleted_at is null for update';

const EXPIRED = `
select id from runs where content_deleted_at is null and settled_at < now() - $1 * interval '1 day'
order by settled_at limit $2 for update skip locked`;

const EMPTY = `
update runs set input = 'null', output = '[]', required_action = null, cancel_reason = null,
  status_reason = case when status = 'cancelled' then null else status_reason end, content_deleted_at = now()
where id = any ($1)`;
