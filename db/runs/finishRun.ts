import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { HEAD, headsOf, type EventHead, type NewEvent } from './events/appendEvents.ts';
import { endedRow } from './endedRow.ts';
import { lockSessionAndRun, type LockedRun } from './lockRun.ts';
import type { Quantities } from './cost/rowCost.ts';
import type { RunEnding } from './runEnding.ts';
import { runObject } from './runObject.ts';
import { isTerminal, type RunRow } from './runRow.ts';
import { wakeNextRun } from './wakeNextRun.ts';
import { writeEnd } from './writeEnd.ts';

/** What is in the books of a run that has ended, and the run of its session that may start now. Amounts in nano-USD. */
export interface FinishedRun {
  status: 'completed' | 'limit_reached' | 'cancelled' | 'failed';
  meters: Record<string, number>;
  subtotalNanos: bigint;
  networkFeeNanos: bigint;
  totalNanos: bigint;
  absorbedNanos: bigint;
  /** Why it failed. */
  code?: string;
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
    if (isTerminal(run.status)) return finished(run, await lifecycleOf(client, runId), undefined);
    run.meters = await sumsOf(client, runId);
    const { next, ...books } = await finishLocked(client, ledger, { run, ending, told: [], output: [] });
    return { ...books, events: await lifecycleOf(client, runId), next };
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
  const { ended, lines } = await endedRow(client, run, endingFor(run, ending));
  ended.output = [...run.output, ...output];
  ended.last_sequence += told.length + 1;
  const events = [...told, { type: `run.${ended.status}`, data: runObject(ended) }];
  const { waiting } = await writeEnd(client, ended, { lines, output, events });
  const next = waiting ? await wakeNextRun(client, run.session_id) : undefined;
  // Last, since it locks the account, which all runs of a workspace share.
  await ledger.settleRun(client, settlementOf(ended));
  return finished(ended, headsOf(events, { sequence: ended.last_sequence, at: run.at }), next);
}

function endingFor(run: LockedRun, ending: RunEnding): RunEnding {
  return run.status === 'cancelling' && ending.status !== 'completed' ? { status: 'cancelled' } : ending;
}

async function sumsOf(client: ClientBase, runId: string): Promise<Quantities> {
  const { rows } = await client.query<{ meter: string; quantity: string }>(SUM, [runId]);
  return Object.fromEntries(rows.map(({ meter, quantity }) => [meter, Number(quantity)]));
}

/** What a run that has ended is settled with, as its row says. */
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

function finished(run: LockedRun, events: EventHead[], next: RunRow | undefined): FinishedRun {
  return {
    status: run.status as FinishedRun['status'],
    meters: Object.fromEntries(Object.entries(run.meters).map(([meter, quantity]) => [meter, Number(quantity)])),
    subtotalNanos: BigInt(run.subtotal_nanos),
    networkFeeNanos: BigInt(run.network_fee_nanos),
    totalNanos: BigInt(run.total_nanos),
    absorbedNanos: BigInt(run.absorbed_nanos),
    ...(run.status === 'failed' && run.status_reason !== null && { code: run.status_reason }),
    events,
    next,
  };
}

/** All that the history keeps of a run's events: for an end that does not know what the steps before it told. */
export async function lifecycleOf(client: ClientBase, runId: string): Promise<EventHead[]> {
  const { rows } = await client.query<{ head: EventHead }>(HEADS, [runId]);
  return rows.map(({ head }) => head);
}

const SUM = `
select meter, sum(quantity_thousandths) as quantity from run_meters where run_id = $1 group by meter
having sum(quantity_thousandths) > 0 order by meter`;

const HEADS = `
select ${HEAD} as head from run_events where run_id = $1 and type not like 'run.output%' order by sequence`;
