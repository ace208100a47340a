import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '../postgres/transaction.ts';
import type { EventHead } from './events/appendEvents.ts';
import { lockRun, type LockedRun } from './lockRun.ts';
import { meterStep, warningFor } from './cost/meterRun.ts';
import { costOf, sumOf, type Quantities } from './cost/rowCost.ts';
import { runObject } from './runObject.ts';
import { stepIdOf } from './stepId.ts';

/** What the history of a run's workflow carries: numbers, names and times. */
export interface RunRecord {
  /** What happened outside of steps: events of the run's pauses and of its end. The first step tells of its beginning. */
  events: EventHead[];
  steps: { step: number; meters: Quantities; events: EventHead[] }[];
  /** There when the run has ended. Costs in nano-USD. */
  result: {
    status: string;
    meters: Quantities;
    subtotalNanos: bigint;
    networkFeeNanos: bigint;
    absorbedNanos: bigint;
  } | null;
}

/** How many rows there were to write. */
export interface RebuildReport {
  events: number;
  meters: number;
  usage: number;
  statusWas: string;
  status: string;
}

/**
 * Writes a run's status, meters, cost and lifecycle events anew from its workflow's history, where rows are missing or differ. Content
 * (input, output, what was said) and money live in the database alone and are left as they are.
 */
export async function rebuildRun(pool: Pool, runId: string, record: RunRecord): Promise<RebuildReport> {
  return inTransaction(pool, async (client) => {
    const before = await lockRun(client, runId);
    for (const { step, meters } of record.steps) await meterStep(client, { id: runId, step }, meters);
    const told = eventsOf(before, record);
    const run = await writeRun(client, before, record);
    const last = record.events.find(({ type }) => type === `run.${run.status}`);
    if (last) told.push({ ...last, data: runObject(run) });
    const { rows } = await client.query(INSERT_EVENTS, [runId, JSON.stringify(told)]);
    return {
      events: rows.length,
      meters: record.steps.flatMap(({ meters }) => Object.keys(meters)).length,
      usage: record.result ? await writeUsage(client, run) : 0,
      statusWas: before.status,
      status: run.status,
    };
  });
}

type ToldEvent = EventHead & { data: object };

/** The events that say nothing but what the history carries. Those of usage add up what the steps before them consumed. */
function eventsOf(run: LockedRun, { events, steps }: RunRecord): ToldEvent[] {
  const told: ToldEvent[] = [...events, ...steps.flatMap((one) => one.events)]
    .filter(({ type }) => type === 'run.in_progress')
    .map((head) => ({ ...head, data: {} }));
  const soFar: LockedRun = { ...run, status: 'in_progress', settled_at: null, meters: {}, total_nanos: '0' };
  const ordered = steps.toSorted((one, other) => endOf(one.events) - endOf(other.events));
  for (const { step, meters, events: heads } of ordered) {
    const beforeNanos = BigInt(soFar.total_nanos);
    soFar.meters = sumOf(soFar.meters, meters);
    soFar.total_nanos = `${costOf(soFar).totalNanos}`;
    const { usage, held_usd } = runObject(soFar);
    for (const head of heads) {
      if (head.type.startsWith('run.step.')) told.push({ ...head, data: { step_id: stepIdOf(run.id, step) } });
      if (head.type === 'run.usage.updated') {
        told.push({ ...head, data: { meters: usage.meters, total_usd: usage.total_usd, held_usd } });
      }
      if (head.type === 'run.budget.warning')
        told.push({ ...head, data: warningFor(soFar, beforeNanos)[0]?.data ?? {} });
    }
  }
  return told;
}

const endOf = (events: EventHead[]) => events.at(-1)?.sequence ?? 0;

async function writeRun(client: ClientBase, run: LockedRun, { events, steps, result }: RunRecord): Promise<LockedRun> {
  const all = [...events, ...steps.flatMap((step) => step.events)];
  const begunAt = all.find(({ type }) => type === 'run.in_progress')?.at ?? null;
  const endedAt = result && events.find(({ type }) => type === `run.${result.status}`)?.at;
  const { rows } = await client.query<LockedRun>(WRITE, [
    run.id,
    begunAt,
    Math.max(0, ...all.map(({ sequence }) => sequence)),
    result?.status ?? null,
    endedAt ?? null,
    JSON.stringify(result?.meters ?? {}),
    result?.subtotalNanos ?? 0n,
    result?.networkFeeNanos ?? 0n,
    result?.absorbedNanos ?? 0n,
  ]);
  return rows[0]!;
}

async function writeUsage(client: ClientBase, run: LockedRun): Promise<number> {
  const isFree = run.status === 'failed';
  const minimumNanos = run.status === 'completed' ? BigInt(run.minimum_cost_nanos) : 0n;
  const lines = costOf(run, { minimumNanos }).lines.map(({ meter, unit, quantityThousandths, costNanos }) => ({
    meter,
    unit,
    quantity: Number(quantityThousandths),
    cost: isFree ? 0 : Number(costNanos),
  }));
  return (await client.query(INSERT_USAGE, [run.id, JSON.stringify(lines)])).rowCount!;
}

// Times that are there are finer than the history's, and stay.
const WRITE = `
update runs set started_at = coalesce(started_at, $2), last_sequence = greatest(last_sequence, $3),
  status = coalesce($4, status), completed_at = coalesce(completed_at, $5), settled_at = coalesce(settled_at, $5),
  meters = case when $4::text is null then meters else $6::jsonb end,
  subtotal_nanos = case when $4::text is null then subtotal_nanos else $7::bigint end,
  network_fee_nanos = case when $4::text is null then network_fee_nanos else $8::bigint end,
  total_nanos = case when $4::text is null then total_nanos else $7::bigint + $8::bigint end,
  absorbed_nanos = case when $4::text is null then absorbed_nanos else $9::bigint end
where id = $1 returning *`;

const INSERT_EVENTS = `
insert into run_events (run_id, sequence, workspace_id, type, data, created_at)
select r.id, e.sequence, r.workspace_id, e.type,
  e.data || coalesce((select jsonb_build_object('kind', s.kind, 'name', s.name, 'attempt', s.attempt)
    from run_steps s where s.run_id = r.id and s.id = e.data ->> 'step_id'), '{}'), e.at
from runs r, jsonb_to_recordset($2::jsonb) e(sequence int, type text, data jsonb, at timestamptz) where r.id = $1
on conflict do nothing returning sequence`;

const INSERT_USAGE = `
insert into run_usage (run_id, meter, workspace_id, unit, quantity_thousandths, cost_nanos, settled_at)
select r.id, u.meter, r.workspace_id, u.unit, u.quantity, u.cost, r.settled_at
from runs r, json_to_recordset($2::json) u(meter text, unit text, quantity bigint, cost bigint) where r.id = $1
on conflict do nothing`;
