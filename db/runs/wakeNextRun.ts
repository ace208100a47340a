import type { ClientBase } from 'pg';
import type { RunRow } from './runRow.ts';

/**
 * Lets the oldest waiting run of a session go, when no other run of it is at work. The caller's transaction has locked the session, and starts
 * the workflow of the returned run after its commit.
 */
export async function wakeNextRun(client: ClientBase, sessionId: string): Promise<RunRow | undefined> {
  const { rows } = await client.query<RunRow>({ name: 'runs_wake_next', text: WAKE_NEXT, values: [sessionId] });
  return rows[0];
}

const WAKE_NEXT = `
update runs set waiting = false
where id = (select id from runs where session_id = $1 and waiting and settled_at is null order by created_at, id limit 1)
  and not exists (select from runs where session_id = $1 and not waiting and settled_at is null)
returning *`;
