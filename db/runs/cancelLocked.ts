import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { appendEvents } from './events/appendEvents.ts';
import { runObject } from './runObject.ts';
import { isTerminal, type RunRow } from './runRow.ts';

/** How a run is to end: `graceful` lets the tool that runs finish. */
export interface CancelOrder {
  mode: 'graceful' | 'immediate';
  reason: string | null;
}

/**
 * Cancels a run whose row the caller's transaction has locked. One that waits in the queue ends at once and costs
 * nothing: its workflow finds it so, if it was started at all. Another one is `cancelling` until its workflow has stopped, and one that has ended stays as it is. One
 * that may still finish its tool, and is cancelled at once after all, may no longer. Returns the row.
 */
export async function cancelLocked(
  client: ClientBase,
  ledger: Pick<Database['ledger'], 'settleRun'>,
  row: RunRow,
  order: CancelOrder,
): Promise<RunRow> {
  if (isTerminal(row.status)) return row;
  if (row.status === 'cancelling') return hasten(client, row, order);
  return row.status === 'queued' ? cancelAtOnce(client, ledger, row, order) : beginCancelling(client, row, order);
}

async function cancelAtOnce(
  client: ClientBase,
  ledger: Pick<Database['ledger'], 'settleRun'>,
  row: RunRow,
  { mode, reason }: CancelOrder,
): Promise<RunRow> {
  const { rows } = await client.query<RunRow>({ name: 'runs_cancel', text: CANCEL, values: [row.id, mode, reason] });
  const sequence = row.last_sequence + 1;
  const cancelled = { ...rows[0]!, last_sequence: sequence };
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

// Whoever waits for the tool looks from time to time whether it still may go on.
async function hasten(client: ClientBase, row: RunRow, { mode }: CancelOrder): Promise<RunRow> {
  if (mode === 'immediate') await client.query(HASTEN, [row.id]);
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
  return { ...rows[0]!, last_sequence: sequence };
}

const CANCEL = `
update runs set status = 'cancelled', status_reason = $3, waiting = false, cancel_requested_at = now(), cancel_mode = $2,
  cancel_reason = $3, completed_at = now(), settled_at = now() where id = $1 returning *`;
const HASTEN = `update runs set cancel_mode = 'immediate' where id = $1 and cancel_mode = 'graceful'`;
const CANCELLING = `
update runs set status = 'cancelling', required_action = null, cancel_requested_at = now(), cancel_mode = $2, cancel_reason = $3
where id = $1 returning *`;
