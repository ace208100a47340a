import type { ClientBase } from 'pg';
import type { RunRow } from './runRow.ts';

/** A run's row as its settlement sees it. */
export type LockedRun = RunRow & {
  cancel_mode: string | null;
  cancel_reason: string | null;
  absorbed_nanos: string;
  /** The time of the transaction. */
  at: Date;
};

/** Reads a run's row and keeps it locked until the commit. Throws when there is no such run. */
export const lockRun = (client: ClientBase, runId: string): Promise<LockedRun> =>
  lock(client, 'runs_lock', LOCK, runId);

/** The same for whoever ends a run: the session is locked first, since whoever enters it meanwhile must see either the run or its end. */
export const lockSessionAndRun = (client: ClientBase, runId: string): Promise<LockedRun> =>
  lock(client, 'runs_lock_session', LOCK_BOTH, runId);

async function lock(client: ClientBase, name: string, text: string, runId: string): Promise<LockedRun> {
  const { rows } = await client.query<LockedRun>({ name, text, values: [runId] });
  if (!rows[0]) throw new Error(`there is no run ${runId}`);
  return rows[0];
}

const LOCK = 'select *, now() as at from runs where id = $1 for update';

// A statement locks what its subqueries lock before it locks rows of its own, and these it then reads as they are.
const LOCK_BOTH = `
select r.*, now() as at from runs r
  left join (select id from sessions where id = (select session_id from runs where id = $1) for update) s on true
where r.id = $1 for update of r`;
