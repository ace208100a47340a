import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../transaction.ts';
import { appendEvents, type EventHead, type NewEvent } from './appendEvents.ts';
import { lockRun, type LockedRun } from './lockRun.ts';
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

/**
 * Begins a step, or the next attempt of one that did not end. `result` is there when the step has ended: then it must not be done
 * again. Throws `StepLost` when the run has ended.
 */
export async function beginStep(
  pool: Pool,
  { runId, step, kind, name }: StepRef & { kind: StepKind; name: string },
): Promise<{ begun: BegunStep; run: LockedRun; result: object | null; events: EventHead[] }> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    if (isTerminal(run.status)) throw new StepLost(`the run ${runId} has ended`);
    const values = [runId, step, run.workspace_id, stepIdOf(runId, step), kind, name];
    const { rows } = await client.query<{ state: string; attempt: number; result: object | null }>({
      name: 'run_steps_begin',
      text: BEGIN,
      values,
    });
    const { state, attempt, result } = rows[0]!;
    const begun = { runId, step, id: stepIdOf(runId, step), attempt, kind, name };
    if (state === 'completed') return { begun, run, result, events: [] };
    if (attempt > 1) await client.query({ name: 'run_meters_reset', text: RESET, values: [runId, step] });
    const { heads } = await appendEvents(client, runId, [stepEvent('run.step.started', begun)]);
    return { begun, run, result: null, events: heads };
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
    const { runId, step, attempt } = begun;
    const { state, result, quantities, events = [], output = [] } = ending;
    const run = await lockRun(client, runId);
    const { rowCount } = await client.query({
      name: 'run_steps_end',
      text: END,
      values: [runId, step, attempt, state, JSON.stringify(result), Object.keys(quantities), Object.values(quantities)],
    });
    if (rowCount === 0 || isTerminal(run.status)) throw lost(begun);
    const usage = await sumRun(client, run, output);
    const told = [...events, stepEvent(`run.step.${state}`, begun), ...usage];
    return { events: (await appendEvents(client, runId, told)).heads };
  });
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
