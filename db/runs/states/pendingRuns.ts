import type { ClientBase } from 'pg';
import type { Rows } from '../../postgres/rows.ts';
import { hasOwnClockSql } from '../../workspaces/clock.ts';
import type { RunRow } from '../runRow.ts';

type Everywhere = Rows<undefined>;

/** The data for starting a run's workflow, beyond the run's row. */
interface RunStart {
  /** The first characters of the run's key, by which its runs can be listed. */
  keyPrefix: string;
  /** The schedule that ordered it. */
  scheduleId: string | null;
  /** Time until the run may begin, by the clock that set it. Negative: it may have begun already. */
  delayMs: number;
  /** Its workspace's clock may be moved. */
  hasOwnClock: boolean;
}

/** Read when a run is started, which may be long after its creation, and on a machine with a wrong clock. */
export async function readStart(everywhere: Everywhere, runId: string): Promise<RunStart> {
  const query = { name: 'runs_start', text: START, values: [runId] };
  return (await everywhere.statement(({ client }) => client.query<RunStart>(query))).rows[0]!;
}

/** Runs that need a workflow and are not known to have one: oldest first, at most a hundred. */
export const readUnstarted = async (everywhere: Everywhere): Promise<RunRow[]> =>
  (await everywhere.statement(({ client }) => client.query<RunRow>(UNSTARTED))).rows;

/** Cancelled runs with workflows that were not notified. */
export const readUncancelled = (everywhere: Everywhere): Promise<{ id: string }[]> =>
  everywhere.statement(({ em, Run, sql }) =>
    em.find(
      Run,
      {
        status: 'cancelling',
        // Implied by the status, and the condition of the index: without it every run is read.
        settledAt: null,
        cancelDeliveredAt: null,
        cancelRequestedAt: { $lt: sql`now() - interval '2 seconds'` },
      },
      { fields: ['id'], limit: PAGE_RUNS },
    ),
  );

/** Runs with a caller's answer that still wait. */
export const readAnswered = (everywhere: Everywhere): Promise<{ id: string }[]> =>
  everywhere.statement(({ em, Run, sql }) =>
    em.find(
      Run,
      {
        status: 'requires_action',
        settledAt: null,
        [sql`jsonb_exists(required_action, 'answer')`]: [],
      },
      { fields: ['id'], limit: PAGE_RUNS },
    ),
  );

/** Runs that need a workflow, after the given id: a page of five hundred. */
export const readOpenRuns = (everywhere: Everywhere, afterId: string): Promise<{ id: string }[]> =>
  everywhere.statement(({ em, Run, sql }) =>
    em.find(
      Run,
      { id: { $gt: afterId }, settledAt: null, workflowStartedAt: { $lt: sql`now() - interval '30 seconds'` } },
      { fields: ['id'], orderBy: { id: 'asc' }, limit: 500 },
    ),
  );

/** Those of the given runs that have not ended. */
export const readStillOpen = (everywhere: Everywhere, ids: string[]): Promise<{ id: string }[]> =>
  everywhere.statement(({ em, Run }) =>
    em.find(Run, { id: ids, settledAt: null, workflowStartedAt: { $ne: null } }, { fields: ['id'] }),
  );

/** The final state of a run; null while it is open. */
export async function readEnd(everywhere: Everywhere, id: string): Promise<RunRow['status'] | null> {
  const run = await everywhere.statement(({ em, Run }) => em.findOne(Run, { id }, { fields: ['status', 'settledAt'] }));
  return run?.settledAt ? run.status : null;
}

/** Sessions with waiting runs although no run of the session is active. */
export const readIdleSessions = async (everywhere: Everywhere): Promise<{ id: string }[]> =>
  (await everywhere.statement(({ client }) => client.query<{ id: string }>(IDLE))).rows;

const PAGE_RUNS = 100;

// Raw: a join, a row in the starter's form, and a condition on other rows of the same table.
const START = `
select coalesce(k.prefix, '') as "keyPrefix", ceil(extract(epoch from r.start_at - ledger_now(r.workspace_id)) * 1000)::float as "delayMs",
  (select f.schedule_id from schedule_firings f where r.source = 'schedule' and f.run_id = r.id) as "scheduleId",
  ${hasOwnClockSql('r.workspace_id')} as "hasOwnClock"
from runs r left join api_keys k on k.id = r.key_id where r.id = $1`;

// The API notifies a run's workflow at once: these few seconds are reserved for it.
const UNSTARTED = `
select * from runs where settled_at is null and not waiting and workflow_started_at is null and created_at < ledger_now(workspace_id) - interval '3 seconds'
order by created_at limit 100`;

const IDLE = `
select distinct w.session_id as id from runs w where w.waiting and w.flow is null and w.settled_at is null
  and not exists (select from runs r where r.session_id = w.session_id and not r.waiting and r.settled_at is null)`;

/** Records that the run's workflow was started, so the sweep skips it. */
export async function markStarted(everywhere: Everywhere, id: string): Promise<void> {
  await everywhere.statement(({ em, Run, sql }) =>
    em.nativeUpdate(Run, { id, workflowStartedAt: null }, { workflowStartedAt: sql.now() }),
  );
}

/** Marks an open run as not started: the sweep starts its workflow again, and delivers its cancellation again. */
export async function markUnstarted(everywhere: Everywhere, id: string): Promise<void> {
  await everywhere.statement(({ em, Run }) =>
    em.nativeUpdate(Run, { id, settledAt: null }, { workflowStartedAt: null, cancelDeliveredAt: null }),
  );
}

/** Records that the run's workflow was notified of the cancellation. */
export async function markCancelDelivered(everywhere: Everywhere, id: string): Promise<void> {
  await everywhere.statement(({ em, Run, sql }) =>
    em.nativeUpdate(Run, { id, cancelDeliveredAt: null }, { cancelDeliveredAt: sql.now() }),
  );
}

/** The open runs of a session, newest first; undefined when the workspace has no such session. */
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
 * starts the workflow of the returned run after its commit; a run with places in lanes still waits for its turn there, which is next.
 */
export async function wakeNextRun(client: ClientBase, sessionId: string): Promise<RunRow | undefined> {
  const { rows } = await client.query<RunRow>({ name: 'runs_wake_next', text: WAKE_NEXT, values: [sessionId] });
  return rows[0];
}

const WAKE_NEXT = `
update runs set waiting = flow is not null
where id = (select id from runs where session_id = $1 and waiting and settled_at is null order by created_at, id limit 1)
  and not exists (select from runs where session_id = $1 and not waiting and settled_at is null)
returning *`;

/** Releases the oldest waiting run of a session when no other run of it is active. Returns the run: its workflow must be started. */
export function wakeSession(everywhere: Everywhere, sessionId: string): Promise<RunRow | undefined> {
  return everywhere.transaction(async ({ client, em, Session, LockMode }) => {
    await em.findOne(Session, { id: sessionId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    return wakeNextRun(client, sessionId);
  });
}
