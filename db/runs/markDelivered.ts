import type { Pool } from 'pg';

/** Notes that the run's workflow has been started, so that the sweep need not. */
export async function markStarted(pool: Pool, runId: string): Promise<void> {
  await pool.query({ name: 'runs_mark_started', text: MARK_STARTED, values: [runId] });
}

/** Notes that the run's workflow has been told of the cancellation. */
export async function markCancelDelivered(pool: Pool, runId: string): Promise<void> {
  await pool.query({ name: 'runs_mark_cancel_delivered', text: MARK_CANCEL_DELIVERED, values: [runId] });
}

const MARK_STARTED = 'update runs set workflow_started_at = now() where id = $1 and workflow_started_at is null';
const MARK_CANCEL_DELIVERED =
  'update runs set cancel_delivered_at = now() where id = $1 and cancel_delivered_at is null';
