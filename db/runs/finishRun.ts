import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { inTransaction } from '../transaction.ts';
import { appendEvents, type EventHead, type NewEvent } from './appendEvents.ts';
import { limitObject, type LimitKind } from './limitObject.ts';
import { lockSessionAndRun, type LockedRun } from './lockRun.ts';
import { costOf, worthNanosOf, type Quantities } from './rowCost.ts';
import type { RunCost } from './runCost.ts';
import { runObject } from './runObject.ts';
import { isTerminal, type RunRow } from './runRow.ts';
import { wakeNextRun } from './wakeNextRun.ts';

/** Whose fault a failure is. */
export type RunFault = 'platform' | 'provider' | 'agent' | 'caller';

/** How a run's work came to its end. */
export type RunEnding =
  | { status: 'completed' }
  | { status: 'cancelled' }
  | { status: 'limit_reached'; limit: LimitKind }
  | { status: 'failed'; fault: RunFault; code: string; message: string };

/** What is in the books of a run that has ended, and the run of its session that may start now. Amounts in nano-USD. */
export interface FinishedRun {
  status: 'completed' | 'limit_reached' | 'cancelled' | 'failed';
  meters: Record<string, number>;
  subtotalNanos: bigint;
  networkFeeNanos: bigint;
  totalNanos: bigint;
  absorbedNanos: bigint;
  events: EventHead[];
  next: RunRow | undefined;
}

/**
 * Ends a run: its status, its bill, its hold and its last event in one transaction, once. A run that has ended is told as it is. One
 * that is being cancelled ends as cancelled, unless it had completed before the cancellation reached it.
 */
export async function finishRun(
  { pool, ledger }: Pick<Database, 'pool' | 'ledger'>,
  runId: string,
  ending: RunEnding,
): Promise<FinishedRun> {
  return inTransaction(pool, async (client) => {
    const run = await lockSessionAndRun(client, runId);
    if (isTerminal(run.status)) return finished(run, await headsOf(client, runId), undefined);
    run.meters = await sumsOf(client, runId);
    const { next, ...books } = await finishLocked(client, ledger, { run, ending, told: [], output: [] });
    return { ...books, events: await headsOf(client, runId), next };
  });
}

/**
 * Ends a run within a transaction that has locked its session and its row, whose meters are the sums of its steps. `told` is told before the
 * end, and `output` added to the run's.
 */
export async function finishLocked(
  client: ClientBase,
  ledger: Pick<Database['ledger'], 'settleRun'>,
  { run, ending, told, output }: { run: LockedRun; ending: RunEnding; told: NewEvent[]; output: object[] },
): Promise<FinishedRun> {
  const ended = await write(client, run, endingFor(run, ending), output);
  const last_sequence = ended.last_sequence + told.length + 1;
  const end = { type: `run.${ended.status}`, data: runObject({ ...ended, last_sequence }) };
  const { heads } = await appendEvents(client, run.id, [...told, end]);
  const next = await wakeNextRun(client, run.session_id);
  // Last, since it locks the account, which all runs of a workspace share.
  await ledger.settleRun(client, settlementOf(ended));
  return finished(ended, heads, next);
}

function endingFor(run: LockedRun, ending: RunEnding): RunEnding {
  return run.status === 'cancelling' && ending.status !== 'completed' ? { status: 'cancelled' } : ending;
}

async function sumsOf(client: ClientBase, runId: string): Promise<Quantities> {
  const { rows } = await client.query<{ meter: string; quantity: string }>(SUM, [runId]);
  return Object.fromEntries(rows.map(({ meter, quantity }) => [meter, Number(quantity)]));
}

async function write(client: ClientBase, run: LockedRun, ending: RunEnding, output: object[]): Promise<LockedRun> {
  const failed = ending.status === 'failed';
  const cost = billOf(run, ending);
  const lines = failed ? cost.lines.map((line) => ({ ...line, costNanos: 0n })) : cost.lines;
  const { rows } = await client.query<LockedRun>({
    name: 'runs_finish',
    text: FINISH,
    values: [
      run.id,
      ending.status,
      reasonOf(run, ending),
      ending.status === 'limit_reached' ? JSON.stringify(await limitObject(client, run, ending.limit)) : null,
      failed ? JSON.stringify(errorOf(ending)) : null,
      failed ? ending.fault : null,
      JSON.stringify(run.meters),
      failed ? 0n : cost.subtotalNanos,
      failed ? 0n : cost.networkFeeNanos,
      failed ? worthNanosOf(run) : 0n,
      JSON.stringify(lines.map(usageRowOf)),
      JSON.stringify(output),
    ],
  });
  return rows[0]!;
}

function billOf(run: LockedRun, ending: RunEnding): RunCost {
  return costOf(run, ending.status === 'completed' ? { minimumNanos: BigInt(run.minimum_cost_nanos) } : {});
}

function usageRowOf({ meter, unit, quantityThousandths, costNanos }: RunCost['lines'][number]) {
  return { meter, unit, quantity: Number(quantityThousandths), cost: Number(costNanos) };
}

function reasonOf(run: LockedRun, ending: RunEnding): string | null {
  switch (ending.status) {
    case 'completed':
      return null;
    case 'cancelled':
      return run.cancel_reason;
    case 'limit_reached':
      return ending.limit;
    case 'failed':
      return ending.code;
    default:
      return ending satisfies never;
  }
}

function errorOf({ fault, code, message }: RunEnding & { status: 'failed' }) {
  return { message, type: fault === 'caller' ? 'invalid_request_error' : 'api_error', param: null, code };
}

function settlementOf(run: LockedRun) {
  return {
    runId: run.id,
    holdId: run.hold_id,
    subtotalNanos: BigInt(run.subtotal_nanos),
    networkFeeNanos: BigInt(run.network_fee_nanos),
    publisherWorkspaceId: run.publisher_workspace_id,
    absorbedNanos: BigInt(run.absorbed_nanos),
  };
}

function finished(run: LockedRun, events: EventHead[], next: RunRow | undefined): FinishedRun {
  return {
    status: run.status as FinishedRun['status'],
    meters: Object.fromEntries(Object.entries(run.meters).map(([meter, quantity]) => [meter, Number(quantity)])),
    subtotalNanos: BigInt(run.subtotal_nanos),
    networkFeeNanos: BigInt(run.network_fee_nanos),
    totalNanos: BigInt(run.total_nanos),
    absorbedNanos: BigInt(run.absorbed_nanos),
    events,
    next,
  };
}

// How the run went in and out of work: whoever ends it need not have begun it.
async function headsOf(client: ClientBase, runId: string): Promise<EventHead[]> {
  const { rows } = await client.query<Omit<EventHead, 'at'> & { at: Date }>(HEADS, [runId, LIFECYCLE]);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

const LIFECYCLE = ['run.in_progress', 'run.completed', 'run.limit_reached', 'run.cancelled', 'run.failed'];

const SUM = `
select meter, sum(quantity_thousandths) as quantity from run_meters where run_id = $1 group by meter
having sum(quantity_thousandths) > 0 order by meter`;

const FINISH = `
with billed as (
  insert into run_usage (run_id, meter, workspace_id, unit, quantity_thousandths, cost_nanos, settled_at)
  select r.id, u.meter, r.workspace_id, u.unit, u.quantity, u.cost, now()
  from runs r, json_to_recordset($11::json) u(meter text, unit text, quantity bigint, cost bigint) where r.id = $1)
update runs set status = $2, status_reason = $3, "limit" = $4, error = $5, fault = $6, meters = $7, subtotal_nanos = $8::bigint,
  network_fee_nanos = $9::bigint, total_nanos = $8::bigint + $9::bigint, absorbed_nanos = $10, output = output || $12::jsonb, required_action = null,
  waiting = false, completed_at = now(), settled_at = now()
where id = $1 returning *`;

const HEADS = `
select type, sequence, created_at as at from run_events where run_id = $1 and type = any($2) order by sequence`;
