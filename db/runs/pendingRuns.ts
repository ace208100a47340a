import type { Pool, ClientBase } from 'pg';
import type { Rows } from '../postgres/rows.ts';
import { inTransaction } from '../postgres/transaction.ts';
import type { RunRow } from './runRow.ts';

/** What starting a run's workflow needs beyond the run's row. */
interface RunStart {
  /** The first characters of the run's key, by which its runs can be listed. */
  keyPrefix: string;
  /** Time until the run may begin, by the clock that set it. Negative: it may have begun already. */
  delayMs: number;
}

/** Read where a run is started, which may be long after it was created, and on a machine whose clock is off. */
export async function readStart(pool: Pool, runId: string): Promise<RunStart> {
  const { rows } = await pool.query<RunStart>({ name: 'runs_start', text: START, values: [runId] });
  return rows[0]!;
}

/** Runs that need a workflow and are not known to have one: oldest first, at most a hundred. */
export async function readUnstarted(pool: Pool): Promise<RunRow[]> {
  return (await pool.query<RunRow>(UNSTARTED)).rows;
}

/** Runs whose workflow was not notified of their cancellation. */
export async function readUncancelled(pool: Pool): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(UNCANCELLED)).rows;
}

/** Runs whose caller has answered and that still wait. */
export async function readAnswered(pool: Pool): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(ANSWERED)).rows;
}

/** Runs that need a workflow, after the given id: a page of five hundred. */
export async function readOpenRuns(pool: Pool, afterId: string): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(OPEN, [afterId])).rows;
}

/** Those of the given runs that have not ended. */
export async function readStillOpen(pool: Pool, runIds: string[]): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(STILL_OPEN, [runIds])).rows;
}

/** Sessions with waiting runs although no run of the session is active. */
export async function readIdleSessions(pool: Pool): Promise<{ id: string }[]> {
  return (await pool.query<{ id: string }>(IDLE)).rows;
}

const START = `
select coalesce(k.prefix, '') as "keyPrefix", ceil(extract(epoch from r.start_at - now()) * 1000)::float as "delayMs"
from runs r left join api_keys k on k.id = r.key_id where r.id = $1`;

// The API notifies a run's workflow at once: these few seconds are reserved for it.
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

/** Records that the run's workflow was started, so the sweep skips it. */
export async function markStarted(pool: Pool, runId: string): Promise<void> {
  await pool.query({ name: 'runs_mark_started', text: MARK_STARTED, values: [runId] });
}

/** Records that the run's workflow was notified of the cancellation. */
export async function markCancelDelivered(pool: Pool, runId: string): Promise<void> {
  await pool.query({ name: 'runs_mark_cancel_delivered', text: MARK_CANCEL_DELIVERED, values: [runId] });
}

const MARK_STARTED = 'update runs set workflow_started_at = now() where id = $1 and workflow_started_at is null';
const MARK_CANCEL_DELIVERED =
  'update runs set cancel_delivered_at = now() where id = $1 and cancel_delivered_at is null';

/** The runs of a session that have not ended, newest first; undefined when the workspace has no such session. */
export function listLiveRunIds(rows: Rows, sessionId: string): Promise<string[] | undefined> {
  return rows.transaction(async ({ em, Run, Session }) => {
    if ((await em.count(Session, { id: sessionId, deletedAt: null })) === 0) return undefined;
    const newestFirst = { createdAt: 'desc', id: 'desc' } as const;
    const live = await em.find(Run, { sessionId, settledAt: null }, { fields: ['id'], orderBy: newestFirst });
    return live.map(({ id }) => id);
  });
}

/**
 * Releases the oldest waiting run of a session when no other run of it is active. The caller's transaction has locked the session, and
 * starts the workflow of the returned run after its commit.
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

/** Releases the oldest waiting run of a session when no other run of it is active. Returns the run, whose workflow is to be started. */
export async function wakeSession(pool: Pool, sessionId: string): Promise<RunRow | undefined> {
  return inTransaction(pool, async (client) => {
    await client.query('select from sessions where id = $1 for update', [sessionId]);
    return wakeNextRun(client, sessionId);
  });
}
