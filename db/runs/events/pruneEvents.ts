import type { Pool } from 'pg';

const RETENTION_DAYS = 30;
// A statement of this size ends well within its time limit.
const BATCH_EVENTS = 5_000;

/** Deletes events past their retention, oldest pages first, until none are left. Returns how many there were. */
export async function pruneEvents(pool: Pool): Promise<number> {
  for (let pruned = 0; ;) {
    const { rowCount } = await pool.query(PRUNE, [RETENTION_DAYS, BATCH_EVENTS]);
    pruned += rowCount!;
    if (rowCount! < BATCH_EVENTS) return pruned;
  }
}

const PRUNE = `
delete from run_events where ctid = any (array(
  select ctid from run_events where created_at < now() - $1 * interval '1 day' limit $2))`;
