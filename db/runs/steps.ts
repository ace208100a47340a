import type { Pool, PoolClient } from 'pg';
import type { Database } from '../database.ts';
import { inTransaction } from '../transaction.ts';
import { appendEvents, type EventHead, type NewEvent } from './appendEvents.ts';
import { beginRun } from './beginRun.ts';
import { finishLocked, type FinishedRun, type RunEnding } from './finishRun.ts';
import { lockRun, lockSessionAndRun, type LockedRun } from './lockRun.ts';
import { meterStep, sumRun } from './meterRun.ts';
import type { Quantities } from './rowCost.ts';
import { isTerminal } from './runRow.ts';
import { stepIdOf } from './stepId.ts';

export type StepKind = 'model' | 'tool' | 'sandbox' | 'file';

/** One step of a run; its number is given by the run's workflow. */
export interface StepRef {
  runId: string;
  step: number;
}

/** A step that is under way: one of its attempts, which alone may write to it. */
export interface BegunStep extends StepRef {
  id: string;
  attempt: number;
  kind: StepKind;
  name: string;
}

/** The run has ended, or another attempt has taken the step over: whoever meets this has nothing to do any more. */
export class StepLost extends Error {
  override readonly name = 'StepLost';
}

/** How an attempt of a step begins. */
export type StepBeginning =
  | { state: 'begun'; begun: BegunStep; run: LockedRun; events: EventHead[] }
  /** The step has ended, and must not be done again. */
  | { state: 'done'; run: LockedRun; result: object }
  /** The run has ended or was cancelled before it began, or its agent must not run. */
  | { state: 'over' | 'suspended' };

/** Begins a step, or the next attempt of one that did not end; with its first step a run leaves the queue. */
export async function beginStep(
  pool: Pool,
  { runId, step, kind, name }: StepRef & { kind: StepKind; name: string },
): Promise<StepBeginning> {
  return inTransaction(pool, async (client) => {
    const beginning = await beginRun(client, await lockRun(client, runId));
    if (beginning.state !== 'going') return beginning;
    const { run, events } = beginning;
    const id = stepIdOf(runId, step);
    const { rows } = await client.query<{ state: string; attempt: number; result: object }>({
      name: 'run_steps_begin',
      text: BEGIN,
      values: [runId, step, run.workspace_id, id, kind, name],
    });
    const { state, attempt, result } = rows[0]!;
    if (state === 'completed') return { state: 'done', run, result };
    if (attempt > 1) await client.query({ name: 'run_meters_reset', text: RESET, values: [runId, step] });
    const begun = { runId, step, id, attempt, kind, name };
    const { heads } = await appendEvents(client, runId, [...events, stepEvent('run.step.started', begun)]);
    return { state: 'begun', begun, run, events: heads };
  });
}

/** Tells readers what a step has produced since it last did, and keeps what it has consumed. Throws `StepLost`. */
export async function reportProgress(
  pool: Pool,
  begun: BegunStep,
  { events, quantities }: { events: NewEvent[]; quantities: Quantities },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await appendEvents(client, begun.runId, events);
    await assertOurs(client, begun);
    await meterStep(client, { id: begun.runId, step: begun.step }, quantities);
  });
}

/** What came of a step. `output` is what it adds to the run's output. */
export interface StepEnding {
  state: 'completed' | 'failed';
  result: object | null;
  quantities: Quantities;
  /** What is told before the step's own end. */
  events?: NewEvent[];
  output?: object[];
}

/** Ends an attempt of a step: its result, what it consumed, what it adds to the run. Throws `StepLost`. */
export async function endStep(pool: Pool, begun: BegunStep, ending: StepEnding): Promise<{ events: EventHead[] }> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, begun.runId);
    const told = await endLocked(client, run, begun, ending);
    return { events: (await appendEvents(client, begun.runId, told)).heads };
  });
}

/**
 * Ends an attempt of a run's last step, and the run with it: what both come to is written in one transaction, so that a run whose last
 * step has ended has ended, too. Throws `StepLost`.
 */
export async function endLastStep(
  { pool, ledger }: Pick<Database, 'pool' | 'ledger'>,
  begun: BegunStep,
  ending: StepEnding & { run: RunEnding },
): Promise<FinishedRun> {
  return inTransaction(pool, async (client) => {
    const run = await lockSessionAndRun(client, begun.runId);
    const told = await endLocked(client, run, begun, ending);
    return finishLocked(client, ledger, { run, ending: ending.run, told });
  });
}

async function endLocked(
  client: PoolClient,
  run: LockedRun,
  begun: BegunStep,
  { state, result, quantities, events = [], output = [] }: StepEnding,
): Promise<NewEvent[]> {
  const { runId, step, attempt } = begun;
  const { rowCount } = await client.query({
    name: 'run_steps_end',
    text: END,
    values: [runId, step, attempt, state, JSON.stringify(result), Object.keys(quantities), Object.values(quantities)],
  });
  if (rowCount === 0 || isTerminal(run.status)) throw lost(begun);
  const usage = await sumRun(client, run, output);
  return [...events, stepEvent(`run.step.${state}`, begun), ...usage];
}

// The run's row is locked by now, so nobody can take the step over between this look and the commit.
async function assertOurs(client: PoolClient, begun: BegunStep): Promise<void> {
  const { runId, step, attempt } = begun;
  const { rowCount } = await client.query({ name: 'run_steps_ours', text: OURS, values: [runId, step, attempt] });
  if (rowCount === 0) throw lost(begun);
}

const lost = ({ runId, step, attempt }: BegunStep) =>
  new StepLost(`step ${step} of the run ${runId} is no longer in the hands of attempt ${attempt}`);

function stepEvent(type: string, { id, kind, name, attempt }: BegunStep): NewEvent {
  return { type, data: { step_id: id, kind, name, attempt } };
}

const BEGIN = `
insert into run_steps as s (run_id, step, workspace_id, id, kind, name) values ($1, $2, $3, $4, $5, $6)
on conflict (run_id, step) do update set
  attempt = s.attempt + case s.state when 'completed' then 0 else 1 end,
  state = case s.state when 'completed' then s.state else 'started' end
returning state, attempt, result`;

const RESET = `update run_meters set quantity_thousandths = 0 where run_id = $1 and step = $2`;

const OURS = `
select from run_steps s join runs r on r.id = s.run_id
where s.run_id = $1 and s.step = $2 and s.attempt = $3 and s.state = 'started' and r.settled_at is null`;

const END = `
with ended as (
  update run_steps set state = $4, result = $5, ended_at = now()
  where run_id = $1 and step = $2 and attempt = $3 and state = 'started' returning run_id, step, workspace_id),
metered as (
  insert into run_meters (run_id, step, meter, workspace_id, quantity_thousandths)
  select run_id, step, q.meter, workspace_id, q.quantity from ended, unnest($6::text[], $7::bigint[]) q(meter, quantity)
  on conflict (run_id, step, meter) do update set quantity_thousandths = excluded.quantity_thousandths)
select from ended`;
