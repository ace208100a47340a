import type { Pool, PoolClient } from 'pg';
import { inLockedTransaction, inTransaction, IS_BEGUN } from '../../postgres/transaction.ts';
import { goingOn, type AddedOutput } from '../cutText.ts';
import { appendEvents, type EventHead, type NewEvent } from '../../events/appendEvents.ts';
import { finishLockedRun, isAwaitedSql, lifecycleOf, type FinishedRun, type RunEnding } from '../states/finishRun.ts';
import { lockRun, lockSessionAndRun, type LockedRun, isTerminal, type RunStore } from '../runRow.ts';
import { meterStep, sumUp, writeSumsAndEvents } from './meterRun.ts';
import { endFacts, stepEvent, type BegunStep, type StepRef } from '../stepFacts.ts';
import { addThousandths, type ThousandthsByMeter } from '../cost/runCost.ts';

/** Another attempt has taken over the step, or the run has ended: this attempt has nothing left to do. */
export class StepLost extends Error {
  override readonly name = 'StepLost';
  /** The run has ended: neither has another attempt. */
  readonly isOver: boolean;

  constructor(message: string, { isOver = false } = {}) {
    super(message);
    this.isOver = isOver;
  }
}

/** Adds events for new output of a step and stores its usage so far. Throws `StepLost`. */
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

/** Why a step, or an attempt of one, failed: a code for programs, and a text for readers if there is any. */
export interface StepFailure {
  reason: string;
  message?: string;
}

/** The result of a step. `output` is its addition to the run's output; `goesOn`: its text continues the last text there. */
export interface StepEnding {
  /** A step with a result is `completed` even when the result reports a failure: it is not retried. */
  state: 'completed' | 'failed';
  failure?: StepFailure;
  /** Present when the step is retried after this time. */
  retryAfterMs?: number;
  result: object | null;
  quantities: ThousandthsByMeter;
  /** What an ended run that the step has started cost. */
  childNanos?: bigint;
  /** Events before the step's own end. */
  events?: NewEvent[];
  output?: object[];
  goesOn?: boolean;
}

/**
 * Finishes an attempt of a step: stores its result, its usage, and its addition to the run; `within` joins the transaction. Throws
 * `StepLost`.
 */
export async function finishStep(
  pool: Pool,
  begun: BegunStep,
  ending: StepEnding,
  within?: (client: PoolClient, run: LockedRun) => Promise<void>,
): Promise<{ events: EventHead[] }> {
  return inLockedTransaction(pool, lockAndEnd(lockRun, begun, ending), async (client, { run, endEvents }) => {
    const heads = await writeSumsAndEvents(client, run, { added: addedTo(run, ending), events: endEvents });
    // Last, since it locks the account.
    await within?.(client, run);
    return { events: heads };
  });
}

/** Finishes an attempt of a run's last step, and the run with it, in one transaction: they end together. Throws `StepLost`. */
export async function finishLastStep(
  { pool, ledger }: RunStore,
  begun: BegunStep,
  ending: StepEnding & { run: RunEnding },
): Promise<FinishedRun> {
  const lock = lockAndEnd(lockSessionAndRun, begun, ending);
  return inLockedTransaction(pool, lock, async (client, { run, endEvents, isAwaited }) => {
    const finished = await finishLockedRun(client, ledger, {
      run,
      ending: ending.run,
      priorEvents: endEvents,
      output: addedTo(run, ending),
      isAwaited,
    });
    // The cancellation wrote its event outside the workflow.
    return run.cancel_requested_at === null ? finished : { ...finished, events: await lifecycleOf(client, run.id) };
  });
}

const addedTo = (run: LockedRun, { output = [], goesOn = false }: StepEnding): AddedOutput =>
  goesOn ? goingOn(run.output, output) : { items: output, replaced: 0 };

/**
 * The beginning of a transaction that ends an attempt of a step: locks the run and stores the step's result. The caller writes the run's
 * row with the new sums, and the events. `isAwaited`: another run waits for the session.
 */
function lockAndEnd(lock: typeof lockRun, begun: BegunStep, ending: StepEnding) {
  const { failure, retryAfterMs, result, quantities, childNanos, events = [] } = ending;
  return async (client: PoolClient) => {
    const [run, ended] = await Promise.all([lock(client, begun.runId), endStep(client, begun, ending)]);
    if (isTerminal(run.status)) throw new StepLost(`the run ${begun.runId} has ended`, { isOver: true });
    if (!ended) throw lost(begun);
    const usage = sumUp(run, addThousandths(ended.others, quantities), childNanos);
    const times = { startedAt: ended.started_at, endedAt: run.at };
    const facts = endFacts(run, begun.kind, { ...times, quantities, result, failure });
    const endEvents = [...events, endEvent(begun, facts, { failure, retryAfterMs, at: run.at }), ...usage];
    return { run, endEvents, isAwaited: ended.is_awaited };
  };
}

async function endStep(
  client: PoolClient,
  begun: BegunStep,
  { state, failure, retryAfterMs, result, quantities, output = [] }: StepEnding,
): Promise<{ others: ThousandthsByMeter; started_at: Date; is_awaited: boolean } | undefined> {
  const { runId, step, attempt } = begun;
  const values = [runId, step, attempt, state, JSON.stringify(result), Object.keys(quantities)];
  const { rows } = await client.query({
    name: 'run_steps_end',
    text: END,
    values: [
      ...values,
      Object.values(quantities),
      failure?.reason ?? null,
      retryAfterMs ?? null,
      storedOutput(begun, output),
    ],
  });
  return rows[0];
}

// The model's text is in its result.
const storedOutput = ({ kind }: BegunStep, output: object[]) =>
  kind === 'model' || output.length === 0 ? null : JSON.stringify(output);

function endEvent(
  begun: BegunStep,
  facts: object,
  { failure, retryAfterMs, at }: Pick<StepEnding, 'failure' | 'retryAfterMs'> & { at: Date },
): NewEvent {
  if (!failure) return stepEvent('run.step.completed', begun, facts);
  if (retryAfterMs === undefined) return stepEvent('run.step.failed', begun, { ...facts, ...failure });
  const retry_at = new Date(at.getTime() + retryAfterMs).toISOString();
  return stepEvent('run.step.retrying', begun, { ...facts, code: failure.reason, retry_at });
}

/** Locks the run of a step for a change that only its present attempt may make, until the commit. Throws `StepLost`. */
export async function claimStep(client: PoolClient, begun: BegunStep): Promise<void> {
  await lockRun(client, begun.runId);
  await assertOurs(client, begun);
}

// The run's row is locked by now, so no other attempt can take over the step between this check and the commit.
async function assertOurs(client: PoolClient, begun: BegunStep): Promise<void> {
  const { runId, step, attempt } = begun;
  const { rowCount } = await client.query({ name: 'run_steps_ours', text: OURS, values: [runId, step, attempt] });
  if (rowCount === 0) throw lost(begun);
}

const lost = ({ runId, step, attempt }: BegunStep) =>
  new StepLost(`step ${step} of the run ${runId} is no longer in the hands of attempt ${attempt}`);

/** The continuing attempt of the step; undefined when the step has ended. */
export async function findBegunStep(pool: Pool, { runId, step }: StepRef): Promise<BegunStep | undefined> {
  const { rows } = await pool.query<BegunStep>(BEGUN, [runId, step]);
  return rows[0];
}

const BEGUN = `
select run_id as "runId", step, id, attempt, kind, name from run_steps where run_id = $1 and step = $2 and state = 'started'`;

/** How often a step was postponed so far, by reason. */
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
  update run_steps set state = $4, result = $5, ended_at = ledger_now(workspace_id), error_code = $8, retry_at = now() + $9::float8 * interval '1 millisecond',
    output = $10
  where run_id = $1 and step = $2 and attempt = $3 and state = 'started' and ${IS_BEGUN} returning run_id, step, workspace_id, started_at),
metered as (
  insert into run_meters (run_id, step, meter, workspace_id, quantity_thousandths)
  select run_id, step, q.meter, workspace_id, q.quantity from ended, unnest($6::text[], $7::bigint[]) q(meter, quantity)
  on conflict (run_id, step, meter) do update set quantity_thousandths = excluded.quantity_thousandths)
select (select coalesce(json_object_agg(meter, quantity), '{}') from (
  select meter, sum(quantity_thousandths) as quantity from run_meters
  where run_id = $1 and not (step = $2 and meter = any ($6)) group by meter) m) as others, started_at, ${isAwaitedSql('$1')} as is_awaited
from ended`;
