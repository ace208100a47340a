import type { ClientBase } from 'pg';
import type { RunRow } from './runRow.ts';

/** A run's row as its settlement sees it. */
export type LockedRun = RunRow & { cancel_mode: string | null; cancel_reason: string | null; absorbed_nanos: string };

/** Reads a run's row and keeps it locked until the commit. Throws when there is no such run. */
export async function lockRun(client: ClientBase, runId: string): Promise<LockedRun> {
  const { rows } = await client.query<LockedRun>({
    name: 'runs_lock',
    text: 'select * from runs where id = $1 for update',
    values: [runId],
  });
  if (!rows[0]) throw new Error(`there is no run ${runId}`);
  return rows[0];
}

/** The same for whoever ends a run: the session is locked first, since whoever enters it meanwhile must see either the run or its end. */
export async function lockSessionAndRun(client: ClientBase, runId: string): Promise<LockedRun> {
  await client.query({ name: 'runs_lock_session', text: LOCK_SESSION, values: [runId] });
  return lockRun(client, runId);
}

const LOCK_SESSION = 'select from sessions where id = (select session_id from runs where id = $1) for update';
