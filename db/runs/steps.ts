import type { Pool, PoolClient } from 'pg';
import type { Database } from '../database.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { appendEvents, type EventHead, type NewEvent } from './events/appendEvents.ts';
import { finishLockedRun, lifecycleOf, type FinishedRun, type RunEnding } from './finishRun.ts';
import { lockRun, lockSessionAndRun, type LockedRun, isTerminal } from './runRow.ts';
import { meterStep, sumUp, writeSums } from './cost/meterRun.ts';
import { addThousandths, type ThousandthsByMeter } from './cost/runCost.ts';

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

/** Tells readers what a step has produced since it last did, and keeps what it has consumed. Throws `StepLost`. */
export async function reportProgress(
  pool: Pool,
  begun: BegunStep,
  { events, quantities }: { events: NewEvent[]; quantities: ThousandthsByMeter },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await appendEvents(client, begun.runId, events);
    await assertOurs(client, begun);
    await meterStep(client, { id: begun.runId, step: begun.step }, quantities);
  });
}

/** Why a step, or an attempt of one, came to nothing: a word for programs, and words for readers where there are any. */
export interface StepFailure {
  reason: string;
  message?: string;
}

/** What came of a step. `output` is what it adds to the run's output. */
export interface StepEnding {
  /** A step is `completed` when it has a result, also one that tells of a failure: it is not done again. */
  state: 'completed' | 'failed';
  failure?: StepFailure;
  /** There when the step is tried again so much later. */
  retryAfterMs?: number;
  result: object | null;
  quantities: ThousandthsByMeter;
  /** What is told before the step's own end. */
  events?: NewEvent[];
  output?: object[];
}

/** Ends an attempt of a step: its result, what it consumed, what it adds to the run. Throws `StepLost`. */
export async function finishStep(pool: Pool, begun: BegunStep, ending: StepEnding): Promise<{ events: EventHead[] }> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, begun.runId);
    const told = await finishLockedStep(client, run, begun, ending);
    await writeSums(client, run, ending.output ?? []);
    return { events: (await appendEvents(client, begun.runId, told)).heads };
  });
}

/**
 * Ends an attempt of a run's last step, and the run with it: what both come to is written in one transaction, so that a run whose last
 * step has ended has ended, too. Throws `StepLost`.
 */
export async function finishLastStep(
  { pool, ledger }: Pick<Database, 'pool' | 'ledger'>,
  begun: BegunStep,
  ending: StepEnding & { run: RunEnding },
): Promise<FinishedRun> {
  return inTransaction(pool, async (client) => {
    const run = await lockSessionAndRun(client, begun.runId);
    const told = await finishLockedStep(client, run, begun, ending);
    const finished = await finishLockedRun(client, ledger, {
      run,
      ending: ending.run,
      told,
      output: ending.output ?? [],
    });
    // Whoever cancelled it told of that beside the workflow.
    return run.cancel_requested_at === null ? finished : { ...finished, events: await lifecycleOf(client, run.id) };
  });
}

// What the step and the sums make of the run's row is left to the caller to write.
async function finishLockedStep(
  client: PoolClient,
  run: LockedRun,
  begun: BegunStep,
  { state, failure, retryAfterMs, result, quantities, events = [] }: StepEnding,
): Promise<NewEvent[]> {
  const { runId, step, attempt } = begun;
  const { rows } = await client.query<{ others: ThousandthsByMeter }>({
    name: 'run_steps_end',
    text: END,
    values: [runId, step, attempt, state, JSON.stringify(result), Object.keys(quantities), Object.values(quantities)],
  });
  if (!rows[0] || isTerminal(run.status)) throw lost(begun);
  const usage = sumUp(run, addThousandths(rows[0].others, quantities));
  return [...events, endEvent(begun, { failure, retryAfterMs, at: run.at }), ...usage];
}

function endEvent(
  begun: BegunStep,
  { failure, retryAfterMs, at }: Pick<StepEnding, 'failure' | 'retryAfterMs'> & { at: Date },
): NewEvent {
  if (!failure) return stepEvent('run.step.completed', begun);
  if (retryAfterMs === undefined) return stepEvent('run.step.failed', begun, failure);
  const retry_at = new Date(at.getTime() + retryAfterMs).toISOString();
  return stepEvent('run.step.retrying', begun, { code: failure.reason, retry_at });
}

// The run's row is locked by now, so nobody can take the step over between this look and the commit.
async function assertOurs(client: PoolClient, begun: BegunStep): Promise<void> {
  const { runId, step, attempt } = begun;
  const { rowCount } = await client.query({ name: 'run_steps_ours', text: OURS, values: [runId, step, attempt] });
  if (rowCount === 0) throw lost(begun);
}

const lost = ({ runId, step, attempt }: BegunStep) =>
  new StepLost(`step ${step} of the run ${runId} is no longer in the hands of attempt ${attempt}`);

/** What is told of an attempt of a step. */
export function stepEvent(type: string, { id, kind, name, attempt }: BegunStep, more: object = {}): NewEvent {
  return { type, data: { step_id: id, kind, name, attempt, ...more } };
}

/** How often a step was put off so far, by the reason. */
export async function retriesOf(pool: Pool, { runId, id }: BegunStep): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ code: string; count: number }>(RETRIES, [runId, id]);
  return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
}

const RETRIES = `
select data ->> 'code' as code, count(*)::int from run_events
where run_id = $1 and type = 'run.step.retrying' and data ->> 'step_id' = $2 group by 1`;

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
select (select coalesce(json_object_agg(meter, quantity), '{}') from (
  select meter, sum(quantity_thousandths) as quantity from run_meters
  where run_id = $1 and not (step = $2 and meter = any ($6)) group by meter) m) as others
from ended`;
