import assert from 'node:assert/strict';
import type { ClientBase } from 'pg';
import type { Ledger } from '../../ledger/ledger.ts';
import { inTransaction } from '../../postgres/transaction.ts';
import {
  limitObject,
  type LimitKind,
  type CostLine,
  type ThousandthsByMeter,
  costOf,
  worthNanosOf,
} from '../cost/runCost.ts';
import { takenOverNanos } from '../cost/reusedMeters.ts';
import { outputWith, type AddedOutput } from '../cutText.ts';
import { HEAD, HEADS_MAX, headsOf, type EventHead, type NewEvent, addingEvents } from '../../events/appendEvents.ts';
import { addDelivered } from '../../events/eventNotices.ts';
import { noticed, queryNoticed } from '../../events/runNotices.ts';
import { runObject } from '../runObject.ts';
import {
  lockSessionAndRun,
  type FinalStatus,
  type LockedRun,
  isTerminal,
  type RunRow,
  type RunStore,
} from '../runRow.ts';
import { endOpenSteps } from './openSteps.ts';
import { wakeNextRun } from './pendingRuns.ts';
import type { Fault } from '../../entities/publishedRun.ts';

/** The result and bill of a finished run, and the run of its session that may start now. Amounts in nano-USD. */
export interface FinishedRun {
  status: FinalStatus;
  meters: Record<string, number>;
  subtotalNanos: bigint;
  networkFeeNanos: bigint;
  totalNanos: bigint;
  absorbedNanos: bigint;
  /** Why it failed, and whose fault that is. */
  code?: string;
  fault?: string;
  events: EventHead[];
  next: RunRow | undefined;
  /** The workspace, if the run leaves places in its lanes. */
  leavesLanesOf: string | null;
  /** The parent run waiting for this one. */
  parentRunId: string | null;
  /** A firing of a schedule waits for it. */
  isScheduled: boolean;
}

/**
 * Finishes a run: its status, its bill, its hold and its last event in one transaction, once. An ended run is returned unchanged. A
 * cancelling run ends as cancelled, unless it had completed before the cancellation reached it.
 */
export async function finishRun({ pool, ledger }: RunStore, runId: string, ending: RunEnding): Promise<FinishedRun> {
  return inTransaction(pool, async (client) => {
    const run = await lockSessionAndRun(client, runId);
    if (isTerminal(run.status)) return toFinishedRun(run, await lifecycleOf(client, runId), undefined);
    const { meters, isAwaited } = await sumsOf(client, runId);
    run.meters = meters;
    const priorEvents = await endOpenSteps(client, run, codeOf(endingFor(run, ending)));
    const { next, ...books } = await finishLockedRun(client, ledger, { run, ending, priorEvents, isAwaited });
    return { ...books, events: await lifecycleOf(client, runId), next };
  });
}

/**
 * Finishes a run within a transaction that has locked its session and its row, with meters that are the sums of its steps. The events
 * `priorEvents` come before the end, and `output` is added to the run's. `isAwaited`: another run waits for the session.
 */
export async function finishLockedRun(
  client: ClientBase,
  ledger: Pick<Ledger, 'settleRun'>,
  {
    run,
    ending,
    priorEvents,
    output = { items: [], replaced: 0 },
    isAwaited,
  }: { run: LockedRun; ending: RunEnding; priorEvents: NewEvent[]; output?: AddedOutput; isAwaited: boolean },
): Promise<FinishedRun> {
  const last = endingFor(run, ending);
  const { ended, lines } = await finishedRow(client, run, last);
  ended.output = [...run.output.slice(0, run.output.length - output.replaced), ...output.items];
  ended.last_sequence += priorEvents.length + 1;
  const events: NewEvent[] = [...priorEvents, { type: `run.${last.status}`, data: runObject(ended) }];
  const settlement = settlementOf(ended);
  const written = writeFinishedRun(client, ended, { lines, output, events });
  const next = isAwaited ? await written.then(() => wakeNextRun(client, run.session_id)) : undefined;
  // Last, since it locks the account, which all runs of a workspace share.
  await Promise.all([written, ledger.settleRun(client, settlement)]);
  return toFinishedRun(ended, headsOf(events, { sequence: ended.last_sequence, at: run.at }), next);
}

function endingFor(run: LockedRun, ending: RunEnding): RunEnding {
  return run.status === 'cancelling' && ending.status !== 'completed' ? { status: 'cancelled' } : ending;
}

async function sumsOf(client: ClientBase, runId: string): Promise<{ meters: ThousandthsByMeter; isAwaited: boolean }> {
  const { rows } = await client.query<{ meters: ThousandthsByMeter; isAwaited: boolean }>(SUM, [runId]);
  return rows[0]!;
}

/** SQL: whether another run waits for the session of this run, which the transaction has locked. */
export const isAwaitedSql = (runId: string): string => `
exists (select from runs w where w.session_id = (select session_id from runs where id = ${runId}) and w.id <> ${runId} and w.waiting
  and w.settled_at is null)`;

/** The settlement of a finished run, from its row. */
export function settlementOf(run: LockedRun) {
  return {
    runId: run.id,
    holdId: run.hold_id,
    subtotalNanos: BigInt(run.subtotal_nanos),
    networkFeeNanos: BigInt(run.network_fee_nanos),
    platformCostNanos: BigInt(run.platform_cost_nanos),
    subsidyNanos: BigInt(run.subsidy_nanos),
    publisherWorkspaceId: run.publisher_workspace_id,
    absorbedNanos: BigInt(run.absorbed_nanos),
  };
}

function toFinishedRun(run: LockedRun, events: EventHead[], next: RunRow | undefined): FinishedRun {
  const { status } = run;
  assert(isTerminal(status), 'a finished run has a final status');
  return {
    status,
    meters: Object.fromEntries(Object.entries(run.meters).map(([meter, quantity]) => [meter, Number(quantity)])),
    subtotalNanos: BigInt(run.subtotal_nanos),
    networkFeeNanos: BigInt(run.network_fee_nanos),
    totalNanos: BigInt(run.total_nanos),
    absorbedNanos: BigInt(run.absorbed_nanos),
    ...(run.status === 'failed' && run.status_reason !== null && { code: run.status_reason }),
    ...(run.status === 'failed' && run.fault !== null && { fault: run.fault }),
    events,
    next,
    leavesLanesOf: run.flow && run.workspace_id,
    parentRunId: run.parent_run_id,
    isScheduled: run.source === 'schedule',
  };
}

/** The heads of the events that the history keeps, of a long run the last ones: for an end that does not know those of earlier steps. */
export async function lifecycleOf(client: ClientBase, runId: string): Promise<EventHead[]> {
  const { rows } = await client.query<{ head: EventHead }>(HEADS, [runId]);
  return rows.map(({ head }) => head);
}

const SUM = `
select (select coalesce(json_object_agg(meter, quantity order by meter), '{}') from (
  select meter, sum(quantity_thousandths) as quantity from run_meters where run_id = $1 group by meter
  having sum(quantity_thousandths) > 0) m) as meters, ${isAwaitedSql('$1')} as "isAwaited"`;

const HEADS = `
select head from (
  select sequence, ${HEAD} as head from run_events
  where run_id = $1 and type not like 'run.output%' and type not in ('run.reasoning.delta', 'run.progress', 'run.tool.progress')
  order by sequence desc limit ${HEADS_MAX}) e
order by sequence`;

/** The row of a run with this ending, and the lines of its bill. A failed run is not billed: the platform bears its cost. */
async function finishedRow(
  client: ClientBase,
  run: LockedRun,
  ending: RunEnding,
): Promise<{ ended: LockedRun; lines: CostLine[] }> {
  const failed = ending.status === 'failed';
  const { lines, subtotalNanos, networkFeeNanos, totalNanos, ...shares } = costOf(run, minimumOf(run, ending));
  const ended: LockedRun = {
    ...run,
    status: ending.status,
    status_reason: reasonOf(run, ending),
    limit: ending.status === 'limit_reached' ? await limitObject(client, run, ending) : null,
    error: failed ? errorOf(ending, await hasPaidChildren(client, run.id)) : null,
    fault: failed ? ending.fault : null,
    subtotal_nanos: `${failed ? 0n : subtotalNanos}`,
    network_fee_nanos: `${failed ? 0n : networkFeeNanos}`,
    total_nanos: `${failed ? 0n : totalNanos}`,
    platform_cost_nanos: `${failed ? 0n : shares.platformCostNanos}`,
    subsidy_nanos: `${failed ? 0n : shares.subsidyNanos}`,
    absorbed_nanos: `${failed ? worthNanosOf(run) - (await takenOverNanos(client, run)) : 0n}`,
    required_action: null,
    required_actions: null,
    waiting: false,
    completed_at: run.at,
    settled_at: run.at,
  };
  return { ended, lines: failed ? lines.map((line) => ({ ...line, costNanos: 0n })) : lines };
}

const minimumOf = (run: LockedRun, { status }: RunEnding) =>
  status === 'completed' ? { minimumNanos: BigInt(run.minimum_cost_nanos) } : {};

function reasonOf(run: LockedRun, ending: RunEnding): string | null {
  if (ending.status === 'completed') return null;
  return ending.status === 'cancelled' ? run.cancel_reason : codeOf(ending);
}

/** Why a run ended, for programs. */
function codeOf(ending: RunEnding): string {
  switch (ending.status) {
    case 'completed':
    case 'cancelled':
      return ending.status;
    case 'limit_reached':
      return ending.limit;
    case 'failed':
      return ending.code;
    default:
      return ending satisfies never;
  }
}

/** Whether runs that this one started were billed, or may still be. */
async function hasPaidChildren(client: ClientBase, runId: string): Promise<boolean> {
  return (await client.query<{ paid: boolean }>(HAS_PAID_CHILDREN, [runId])).rows[0]!.paid;
}

const HAS_PAID_CHILDREN = `
select exists (select from runs where parent_run_id = $1 and (settled_at is null or total_nanos + children_nanos > 0)) as paid`;

function errorOf({ fault, code, message }: RunEnding & { status: 'failed' }, hasPaid: boolean) {
  const text = hasPaid
    ? message.replace('Nothing was billed.', 'Only the agents that it called were billed.')
    : message;
  return { message: text, type: fault === 'caller' ? 'invalid_request_error' : 'api_error', param: null, code };
}

/** Writes the end of a run in one statement: its row, the lines of its bill, and its last events. `output` is the new output. */
async function writeFinishedRun(
  client: ClientBase,
  ended: LockedRun,
  { lines, output, events }: { lines: CostLine[]; output: AddedOutput; events: NewEvent[] },
): Promise<void> {
  const values = [
    ended.id,
    ended.status,
    ended.status_reason,
    jsonOf(ended.limit),
    jsonOf(ended.error),
    ended.fault,
    jsonOf(ended.meters),
    ended.subtotal_nanos,
    ended.network_fee_nanos,
    ended.total_nanos,
    ended.absorbed_nanos,
    jsonOf(output.items),
    jsonOf(lines.map(usageRowOf)),
    jsonOf(events),
    ended.platform_cost_nanos,
    ended.subsidy_nanos,
    output.replaced,
  ];
  const noticeOf = () => ({ runId: ended.id, sequence: ended.last_sequence });
  const end = () => queryNoticed(client, END, values, noticeOf);
  await addDelivered(client, end, () => ended.workspace_id);
}

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value));

function usageRowOf({ meter, unit, quantityThousandths, costNanos }: CostLine) {
  return { meter, unit, quantity: Number(quantityThousandths), cost: Number(costNanos) };
}

const END = noticed(
  'runs_end',
  (notice) => `
with run as (
  update runs set status = $2, status_reason = $3, "limit" = $4, error = $5, fault = $6, meters = $7, subtotal_nanos = $8,
    network_fee_nanos = $9, total_nanos = $10, platform_cost_nanos = $15, subsidy_nanos = $16, absorbed_nanos = $11, output = ${outputWith('$12', '$17')}, required_action = null, required_actions = null,
    waiting = false,
    completed_at = ledger_now(workspace_id), settled_at = ledger_now(workspace_id), last_sequence = last_sequence + json_array_length($14)
  where id = $1 returning id, workspace_id, last_sequence),
billed as (
  insert into run_usage (run_id, meter, workspace_id, unit, quantity_thousandths, cost_nanos, settled_at)
  select run.id, u.meter, run.workspace_id, u.unit, u.quantity, u.cost, ledger_now(run.workspace_id)
  from run, json_to_recordset($13::json) u(meter text, unit text, quantity bigint, cost bigint)),
${addingEvents('$14')}
select ${notice} from run`,
);

/** How a run ended. */
export type RunEnding =
  | { status: 'completed' }
  | { status: 'cancelled' }
  /** `steps`: the agent's own maximum, if it has one. */
  | { status: 'limit_reached'; limit: Exclude<LimitKind, 'model_output_limit'>; steps?: number }
  /** `tokens`: the model's maximum for one answer. */
  | { status: 'limit_reached'; limit: 'model_output_limit'; tokens: number; used: number }
  | { status: 'failed'; fault: Fault; code: string; message: string };
