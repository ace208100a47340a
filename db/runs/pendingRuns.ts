import type { Pool } from 'pg';
import type { RunRow } from './runRow.ts';

/** What starts a run's workflow and does not stand in the run's row. */
export interface RunStart {
  /** The first characters of the run's key, by which its runs can be listed. */
  keyPrefix: string;
  /** From now until the run may begin, by the clock that said when. Negative: it may have begun already. */
  delayMs: number;
}

/** Read where a run is started, which may be long after it was created, and on a machine whose clock is off. */
export async function readStart(pool: Pool, runId: string): Promise<RunStart> {
  const { rows } = await pool.query<RunStart>({ name: 'runs_start', text: START, values: [runId] });
  return rows[0]!;
}

/** Runs whose workflow ought to be running by now, and is not known to be: oldest first, at most a hundred. */
export async function readUnstarted(pool: Pool): Promise<RunRow[]> {
  return (await pool.query<RunRow>(UNSTARTED)).rows;
}

/** Runs whose workflow has not heard of their cancellation. */
export async function readUncancelled(pool: Pool): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(UNCANCELLED)).rows;
}

/** Runs that their caller has answered, and that wait all the same. */
export async function readAnswered(pool: Pool): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(ANSWERED)).rows;
}

/** Runs that ought to have a workflow, after the given id: a page of five hundred. */
export async function readOpenRuns(pool: Pool, afterId: string): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(OPEN, [afterId])).rows;
}

/** Those of the given runs that have not ended. */
export async function readStillOpen(pool: Pool, runIds: string[]): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(STILL_OPEN, [runIds])).rows;
}

/** Sessions with runs that wait although nothing of the session is at work. */
export async function readIdleSessions(pool: Pool): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(IDLE)).rows;
}

const START = `
select coalesce(k.prefix, '') as "keyPrefix", ceil(extract(epoch from r.start_at - now()) * 1000)::float as "delayMs"
from runs r left join api_keys k on k.id = r.key_id where r.id = $1`;

// Whoever created, cancelled or answered a run tells its workflow at once: these few seconds are theirs.
const UNSTARTED = `
select * from runs where settled_at is null and not waiting and workflow_started_at is null and created_at < now() - interval '3 seconds'
order by created_at limit 100`;

const UNCANCELLED = `
select id from runs where status = 'cancelling' and cancel_delivered_at is null and cancel_requested_at < now() - interval '2 seconds'
limit 100`;

const ANSWERED = `
select id from runs where status = 'requires_action' and settled_at is null and required_action ? 'answer' limit 100`;

const OPEN = `
select id from runs where settled_at is null and workflow_started_at < now() - interval '30 seconds' and id > $1 order by id limit 500`;

const STILL_OPEN = `select id from runs where id = any ($1) and settled_at is null and workflow_started_at is not null`;

const IDLE = `
select distinct w.session_id as id from runs w where w.waiting and w.settled_at is null
  and not exists (select from runs r where r.session_id = w.session_id and not r.waiting and r.settled_at is null)`;
