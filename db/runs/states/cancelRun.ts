import type { ClientBase } from 'pg';
import type { Ledger } from '../../ledger/ledger.ts';
import { inTransaction } from '../../postgres/transaction.ts';
import { sendNotice } from '../../postgres/notices.ts';
import { appendEvents } from '../../events/appendEvents.ts';
import { runObject } from '../runObject.ts';
import { isTerminal, type RunRow, type RunStore } from '../runRow.ts';
import { wakeNextRun } from './pendingRuns.ts';

/** The result of a cancellation, and the waiting run of the session that may start instead, if any. */
export type Cancellation =
  | { outcome: 'not_found' }
  | { outcome: 'already_terminal' | 'already_cancelled'; run: RunRow }
  | { outcome: 'cancelling' | 'cancelled'; run: RunRow; next: RunRow | undefined };

/** Cancels a run of the workspace, in one transaction. A cancelling or ended run is unchanged. */
export function requestCancel(
  { pool, ledger }: RunStore,
  { workspaceId, runId, ...order }: { workspaceId: string; runId: string } & CancelOrder,
): Promise<Cancellation> {
  return inTransaction(pool, async (client) => {
    const row = await lockRun(client, workspaceId, runId);
    if (!row) return { outcome: 'not_found' };
    if (row.status === 'cancelled') return { outcome: 'already_cancelled', run: row };
    if (isTerminal(row.status)) return { outcome: 'already_terminal', run: row };
    const run = await cancelLocked(client, ledger, row, order);
    if (run.status === 'cancelling') return { outcome: 'cancelling', run, next: undefined };
    return { outcome: 'cancelled', run, next: await wakeNextRun(client, run.session_id) };
  });
}

// Locks the session first: a concurrent new run must see either this run or its end.
async function lockRun(client: ClientBase, workspaceId: string, runId: string): Promise<RunRow | undefined> {
  await client.query(LOCK_SESSION_OF, [runId, workspaceId]);
  const { rows } = await client.query<RunRow>(
    'select * from runs where id = $1 and workspace_id = $2 and deleted_at is null for update',
    [runId, workspaceId],
  );
  return rows[0];
}

const LOCK_SESSION_OF =
  'select from sessions where id = (select session_id from runs where id = $1 and workspace_id = $2) for update';

/** How a run will end: `graceful` lets a running tool finish. */
export interface CancelOrder {
  mode: 'graceful' | 'immediate';
  reason: string | null;
}

/**
 * Cancels a run; the caller's transaction has locked its row: queued -> cancelled, at no cost (its workflow, if started, finds it so);
 * running -> cancelling, until its workflow has stopped; terminal -> unchanged. A graceful cancellation may become an immediate one.
 * Returns the row.
 */
export async function cancelLocked(
  client: ClientBase,
  ledger: Pick<Ledger, 'settleRun'>,
  row: RunRow,
  order: CancelOrder,
): Promise<RunRow> {
  if (isTerminal(row.status)) return row;
  if (row.status === 'cancelling') return makeImmediate(client, row, order);
  return row.status === 'queued' ? cancelAtOnce(client, ledger, row, order) : beginCancelling(client, row, order);
}

async function cancelAtOnce(
  client: ClientBase,
  ledger: Pick<Ledger, 'settleRun'>,
  row: RunRow,
  { mode, reason }: CancelOrder,
): Promise<RunRow> {
  const { rows } = await client.query<RunRow>({ name: 'runs_cancel', text: CANCEL, values: [row.id, mode, reason] });
  const sequence = row.last_sequence + 1;
  const cancelled = { ...rows[0]!, last_sequence: sequence };
  if (row.flow) await client.query(LEAVE_LANES, [row.id]);
  await appendEvents(client, row.id, [{ type: 'run.cancelled', data: runObject(cancelled) }]);
  await ledger.settleRun(client, {
    runId: row.id,
    holdId: row.hold_id,
    subtotalNanos: 0n,
    networkFeeNanos: 0n,
    platformCostNanos: 0n,
    subsidyNanos: 0n,
    publisherWorkspaceId: row.publisher_workspace_id,
    absorbedNanos: 0n,
  });
  return cancelled;
}

// The activity that runs the tool polls this mode.
async function makeImmediate(client: ClientBase, row: RunRow, { mode }: CancelOrder): Promise<RunRow> {
  if (mode === 'immediate') await client.query(MAKE_IMMEDIATE, [row.id]);
  return row;
}

async function beginCancelling(client: ClientBase, row: RunRow, { mode, reason }: CancelOrder): Promise<RunRow> {
  const { rows } = await client.query<RunRow>({
    name: 'runs_cancelling',
    text: CANCELLING,
    values: [row.id, mode, reason],
  });
  const { sequence } = await appendEvents(client, row.id, [
    { type: 'run.cancelling', data: { status: 'cancelling', mode, reason } },
  ]);
  await sendNotice(client, { kind: 'run-cancelled', runId: row.id });
  return { ...rows[0]!, last_sequence: sequence };
}

const CANCEL = `
update runs set status = 'cancelled', status_reason = $3, waiting = false, cancel_requested_at = now(), cancel_mode = $2,
  cancel_reason = $3, completed_at = ledger_now(workspace_id), settled_at = ledger_now(workspace_id) where id = $1 returning *`;
// A place that it was admitted to is left when others take their turn.
const LEAVE_LANES = 'delete from flow_places where run_id = $1 and admitted_at is null';
const MAKE_IMMEDIATE = `update runs set cancel_mode = 'immediate' where id = $1 and cancel_mode = 'graceful'`;
const CANCELLING = `
update runs set status = 'cancelling', required_action = null, required_actions = null, cancel_requested_at = now(), cancel_mode = $2, cancel_reason = $3
where id = $1 returning *`;

/** A cancelled run, and the run of its session that may start instead. */
export interface CancelledRun {
  run: RunRow;
  next: RunRow | undefined;
}

/**
 * Cancels the open runs of revoked keys: queued runs, which cost nothing, and running ones unless their key lets them end. The caller
 * notifies their workflows. Idempotent; `workspaceId`: only in this workspace.
 */
export async function cancelRevoked(db: RunStore, workspaceId?: string): Promise<CancelledRun[]> {
  const { rows } = await db.pool.query<OpenRun>(OF_REVOKED, [workspaceId ?? null]);
  return cancelAll(db, rows, 'The key of the run was revoked.');
}

/**
 * Cancels open runs whose parent has ended: its workflow was terminated or lost, so nobody waits for them. The caller notifies their
 * workflows. Idempotent.
 */
export async function cancelOrphaned(db: RunStore): Promise<CancelledRun[]> {
  const { rows } = await db.pool.query<OpenRun>(OF_ENDED);
  return cancelAll(db, rows, 'The run that called this agent has ended.');
}

interface OpenRun {
  id: string;
  workspaceId: string;
}

async function cancelAll(db: RunStore, runs: OpenRun[], reason: string): Promise<CancelledRun[]> {
  const cancelled: CancelledRun[] = [];
  // The newest first, so that the end of one run does not start the next one; before them the runs that wait for others.
  for (const { id: runId, workspaceId } of runs) {
    const ended = await requestCancel(db, { workspaceId, runId, mode: 'immediate', reason });
    if (ended.outcome === 'cancelling' || ended.outcome === 'cancelled') {
      cancelled.push({ run: ended.run, next: ended.outcome === 'cancelled' ? ended.next : undefined });
    }
  }
  return cancelled;
}

const OF_REVOKED = `
select r.id, r.workspace_id as "workspaceId" from runs r join api_keys k on k.id = r.key_id
where r.settled_at is null and r.status <> 'cancelling' and k.revoked_at is not null and (r.status = 'queued' or not k.keeps_runs)
  and ($1::text is null or r.workspace_id = $1)
order by r.depth, r.created_at desc, r.id desc limit 500`;

const OF_ENDED = `
select r.id, r.workspace_id as "workspaceId" from runs r join runs p on p.id = r.parent_run_id
where r.settled_at is null and r.status <> 'cancelling' and p.settled_at is not null
order by r.created_at desc, r.id desc limit 500`;
