import type { ClientBase } from 'pg';
import { storableBeginning } from '../../base/json.ts';
import { usdOf } from '../money.ts';
import { inTransaction } from '../postgres/transaction.ts';
import type { EventHead } from '../events/appendEvents.ts';
import { parentOf, rerunOf } from './firstEvents.ts';
import { settlementOf } from './states/finishRun.ts';
import { stepIdOf, lockSessionAndRun, type LockedRun, type RunStore } from './runRow.ts';
import { contentOfAction, type WaitingCall } from './waiting/actions.ts';
import { meterStep } from './steps/meterRun.ts';
import { takeOverMeters } from './cost/reusedMeters.ts';
import { costOf, type ThousandthsByMeter } from './cost/runCost.ts';
import { runObject } from './runObject.ts';
import { argumentsIn, ARGUMENTS_BYTES_MAX, MESSAGE_CHARACTERS_MAX, PREVIEW_BYTES_MAX, previewIn } from './stepFacts.ts';
import { CALL_ARGUMENTS } from './steps/stepRecords.ts';

/** The content of a run's workflow history: numbers, names and times. */
export interface RunRecord {
  /** Events outside steps: of the run's pauses and of its end. The first step carries the events of its beginning. */
  events: EventHead[];
  /** Failed steps have neither meters nor events. */
  steps: { step: number; meters: ThousandthsByMeter; events: EventHead[] }[];
  /** Present when the run has ended. Costs in nano-USD. */
  result: {
    status: string;
    meters: ThousandthsByMeter;
    subtotalNanos: bigint;
    networkFeeNanos: bigint;
    absorbedNanos: bigint;
  } | null;
}

/** How many rows had to be written. */
export interface RebuildReport {
  events: number;
  meters: number;
  usage: number;
  statusWas: string;
  status: string;
}

/**
 * Restores a run's status, meters, cost and lifecycle events from its workflow's history, where rows are missing or differ; an ended run
 * is settled, unless it was. Content (input, output, texts) is only in the database and stays unchanged.
 */
export async function rebuildRun({ pool, ledger }: RunStore, runId: string, record: RunRecord): Promise<RebuildReport> {
  return inTransaction(pool, async (client) => {
    const before = await lockSessionAndRun(client, runId);
    const metered = metersOf(record, await takeOverMeters(client, before));
    for (const { step, meters } of metered) await meterStep(client, { id: runId, step }, meters);
    const run = await writeRun(client, before, record);
    const content = { calls: await readCalls(client, run), steps: await readStepContent(client, run.id) };
    const rebuilt = await beginningOf(client, run, record);
    for (const head of headsOf(record)) {
      const data = dataOf(run, head, content);
      if (data) rebuilt.push({ ...head, data });
    }
    const last = record.events.find(({ type }) => type === `run.${run.status}`);
    if (last) rebuilt.push({ ...last, data: runObject(run) });
    const { rows } = await client.query(INSERT_EVENTS, [runId, JSON.stringify(rebuilt)]);
    const report = {
      events: rows.length,
      meters: metered.flatMap(({ meters }) => Object.keys(meters)).length,
      usage: record.result ? await writeUsage(client, run) : 0,
      statusWas: before.status,
      status: run.status,
    };
    // Last, since it locks the account. An ended hold stays as it is.
    if (record.result) await ledger.settleRun(client, settlementOf(run));
    return report;
  });
}

/**
 * The usage of each step. The history has no result of a failed step: its share is the difference to the run's total, without the usage
 * taken over.
 */
function metersOf(
  { steps, result }: RunRecord,
  takenOver: ThousandthsByMeter,
): { step: number; meters: ThousandthsByMeter }[] {
  const rest: ThousandthsByMeter = { ...result?.meters };
  for (const { meters } of [...steps, { meters: takenOver }])
    for (const [meter, quantity] of Object.entries(meters)) rest[meter] = (rest[meter] ?? 0) - quantity;
  const left = Object.entries(rest).filter(([, quantity]) => quantity > 0);
  const failed = steps.findLast(({ step, meters }) => step > 0 && Object.keys(meters).length === 0);
  return left.length > 0 && failed ? [...steps, { step: failed.step, meters: Object.fromEntries(left) }] : steps;
}

type RecordedEvent = EventHead & { data: object };

/** The first two events, which are older than the workflow. The first sums and the first pause keep the initial values. */
async function beginningOf(client: ClientBase, run: LockedRun, record: RunRecord): Promise<RecordedEvent[]> {
  const at = new Date(run.created_at).toISOString();
  const { rows } = await client.query<{ waiting: boolean }>(WAITED, [run.id]);
  const all = headsOf(record).map(({ type, facts }) => ({ type, facts: facts as Facts }));
  const raised = all.map(({ facts }) => facts?.required_action).find((action) => action?.type === 'raise_limit');
  const sums = all.find(({ type }) => type === 'run.usage.updated')?.facts;
  const { agent, version, session_id } = run;
  const max_cost_usd = raised?.max_cost_usd ?? usdOf(BigInt(run.max_cost_nanos));
  const held_usd = sums?.held_usd ?? raised?.held_usd ?? usdOf(BigInt(run.held_nanos));
  const start_at = new Date(run.start_at).toISOString();
  const status = 'queued';
  const created = { agent, version, session_id, status, max_cost_usd, held_usd, ...rerunOf(run), ...parentOf(run) };
  return [
    { type: 'run.created', sequence: 1, at, data: created },
    { type: 'run.queued', sequence: 2, at, data: { status, waiting: rows[0]!.waiting, start_at } },
  ];
}

interface Facts {
  held_usd?: number;
  required_action?: Action;
  required_actions?: Action[];
}

type Action = { type?: string; step_id?: string; max_cost_usd?: number; held_usd?: number };

/** The calls of the run's models, by the ids of their steps: what the run asked its caller is in them. */
async function readCalls(client: ClientBase, run: LockedRun): Promise<Map<string, AskedCall>> {
  const { rows } = await client.query<AskedCall & { step: number }>(CALLS, [run.id]);
  return new Map(rows.map((call) => [stepIdOf(run.id, call.step), call]));
}

type AskedCall = WaitingCall & { hasForms: boolean };

/** All events carried by the history, in their order. */
const headsOf = ({ events, steps }: RunRecord): EventHead[] =>
  [...events, ...steps.flatMap((step) => step.events)].toSorted((one, other) => one.sequence - other.sequence);

/** The nature and work of steps, by their ids. */
async function readStepContent(client: ClientBase, runId: string): Promise<Map<string, StepContent>> {
  const { rows } = await client.query<StepContent>(STEPS, [runId]);
  return new Map(rows.map((row) => [row.id, row]));
}

type StepContent = { id: string; kind: string; name: string; text: string | null; arguments: string | null };

/** The content of such an event, from the history and the rows; empty when they do not carry it. */
function dataOf(
  run: LockedRun,
  { type, facts }: EventHead,
  { calls, steps }: { calls: Map<string, AskedCall>; steps: Map<string, StepContent> },
): object | undefined {
  if (type === 'run.in_progress') return {};
  if (type === 'run.cancelling') return { status: 'cancelling', mode: run.cancel_mode, reason: run.cancel_reason };
  if (facts && type.startsWith('run.step.')) return { ...facts, ...stepDataOf(facts, steps) };
  if (!facts || type !== 'run.requires_action') return facts;
  const { required_action: action, required_actions: actions, ...more } = facts as Facts;
  const whole = (one: Action | undefined) => ({ ...one, ...askedIn(one, calls) });
  return { ...more, required_action: whole(action), ...(actions && { required_actions: actions.map(whole) }) };
}

const ASKED = ['text', 'form', 'tool_approval'];

function askedIn(action: Action | undefined, calls: Map<string, AskedCall>): object {
  const call = calls.get(action?.step_id ?? '');
  return call && ASKED.includes(action!.type!) ? contentOfAction(action!.type!, call, call.hasForms) : {};
}

const FAILURES_WITH_TEXT = ['tool_error', 'timeout', 'cancelled'];

// `result_truncated` marks the events of an end with a result, `arguments_truncated` those of a beginning.
function stepDataOf(facts: object, steps: Map<string, StepContent>): object {
  const { step_id = '', reason = '' } = facts as { step_id?: string; reason?: string };
  const step = steps.get(step_id);
  if (!step) return {};
  const { kind, name, text } = step;
  return {
    kind,
    name,
    ...(kind === 'model' && { model: name }),
    ...('arguments_truncated' in facts && argumentsIn(step)),
    ...('result_truncated' in facts && previewIn(step)),
    ...(FAILURES_WITH_TEXT.includes(reason) &&
      text !== null && { message: storableBeginning(text, MESSAGE_CHARACTERS_MAX) }),
  };
}

async function writeRun(client: ClientBase, run: LockedRun, record: RunRecord): Promise<LockedRun> {
  const { events, result } = record;
  const all = headsOf(record);
  const begunAt = all.find(({ type }) => type === 'run.in_progress')?.at ?? null;
  const endedAt = result && events.find(({ type }) => type === `run.${result.status}`)?.at;
  const shares = sharesOf(run, result);
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
    shares.platformCostNanos,
    shares.subsidyNanos,
  ]);
  return rows[0]!;
}

// The history has the caller's payment; its shares follow from the meters.
function sharesOf(run: LockedRun, result: RunRecord['result']) {
  if (!result || result.status === 'failed') return { platformCostNanos: 0n, subsidyNanos: 0n };
  const minimumNanos = result.status === 'completed' ? BigInt(run.minimum_cost_nanos) : 0n;
  return costOf({ ...run, meters: result.meters }, { minimumNanos });
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

// Existing times are more precise than the history's, and stay.
const WRITE = `
update runs set started_at = coalesce(started_at, $2), last_sequence = greatest(last_sequence, $3),
  status = coalesce($4, status), completed_at = coalesce(completed_at, $5), settled_at = coalesce(settled_at, $5),
  meters = case when $4::text is null then meters else $6::jsonb end,
  subtotal_nanos = case when $4::text is null then subtotal_nanos else $7::bigint end,
  network_fee_nanos = case when $4::text is null then network_fee_nanos else $8::bigint end,
  total_nanos = case when $4::text is null then total_nanos else $7::bigint + $8::bigint end,
  absorbed_nanos = case when $4::text is null then absorbed_nanos else $9::bigint end,
  platform_cost_nanos = case when $4::text is null then platform_cost_nanos else $10::bigint end,
  subsidy_nanos = case when $4::text is null then subsidy_nanos else $11::bigint end
where id = $1 returning *`;

const INSERT_EVENTS = `
insert into run_events (run_id, sequence, workspace_id, type, data, created_at)
select r.id, e.sequence, r.workspace_id, e.type, e.data, e.at
from runs r, jsonb_to_recordset($2::jsonb) e(sequence int, type text, data jsonb, at timestamptz) where r.id = $1
on conflict do nothing returning sequence`;

// As at its creation: behind an unfinished run of its session.
const WAITED = `
select exists (select from runs o where o.session_id = r.session_id and o.id <> r.id and o.created_at < r.created_at
  and (o.settled_at is null or o.settled_at > r.created_at)) as waiting
from runs r where r.id = $1`;

// As much of their content as an event may have.
const STEPS = `
select s.id, s.kind, s.name, left(s.result ->> 'text', ${PREVIEW_BYTES_MAX + 1}) as text,
  left(${CALL_ARGUMENTS}, ${ARGUMENTS_BYTES_MAX + 1}) as arguments
from run_steps s where s.run_id = $1`;

const CALLS = `
select (call ->> 'step')::int as step, call ->> 'name' as name, call ->> 'arguments' as arguments, call ->> 'proposed' as proposed,
  coalesce((v.configuration ->> 'question_forms')::boolean, false) as "hasForms"
from run_steps s join runs r on r.id = s.run_id join agent_versions v on v.id = r.version_id,
  jsonb_array_elements(s.result -> 'toolCalls') call
where s.run_id = $1 and s.kind = 'model' and call ->> 'step' is not null`;

const INSERT_USAGE = `
insert into run_usage (run_id, meter, workspace_id, unit, quantity_thousandths, cost_nanos, settled_at)
select r.id, u.meter, r.workspace_id, u.unit, u.quantity, u.cost, r.settled_at
from runs r, json_to_recordset($2::json) u(meter text, unit text, quantity bigint, cost bigint) where r.id = $1
on conflict do nothing`;
