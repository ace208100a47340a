import type { Pool, PoolClient } from 'pg';
import type { Pricing } from '../../entities/agentJson.ts';
import type { Queryable } from '../../postgres/queryable.ts';
import { inLockedTransaction, inTransaction } from '../../postgres/transaction.ts';
import { addingEvents, appendEvents, headsOf, type EventHead, type NewEvent } from '../../events/appendEvents.ts';
import { noticed, queryNoticed } from '../../events/runNotices.ts';
import { stepIdOf, lockRun, type LockedRun, isTerminal, TIMES } from '../runRow.ts';
import { beginRerun, IS_SUSPENDED } from './beginRerun.ts';
import { coverStep, isPriced, readOpenTools, type Cover } from './coverStep.ts';
import { argumentsIn, stepEvent, FIRST_STEP, type StepKind, type BegunStep, type StepRef } from '../stepFacts.ts';
import { readConversation, type Conversation } from './stepRecords.ts';

const RUN_BEGUN: NewEvent = { type: 'run.in_progress', data: {} };

/** `arguments`: of a tool's call, as the model wrote them. */
export type StepOrder = StepRef & { kind: StepKind; name: string; arguments?: string };

/** The result of beginning an attempt of a step. */
export type StepBeginning =
  | { state: 'begun'; begun: BegunStep; run: LockedRun; events: EventHead[] }
  /** The step has ended and must not run again. */
  | { state: 'done'; run: LockedRun; result: object }
  /** The run has ended or was cancelled before it began, is being cancelled, or its agent is suspended. */
  | { state: 'over' | 'cancelling' | 'suspended' };

/** Of a tool's step: `unpaid` when the run's hold does not cover it beside the steps that are open. */
export type ToolBeginning = (StepBeginning & { cover?: Cover }) | { state: 'unpaid'; run: LockedRun };

/**
 * Begins a step, or the next attempt of an unfinished one, which keeps its kind. The first step takes the run out of the queue. A run that
 * is being cancelled begins no further step: its row knows so before its workflow does.
 */
export async function beginStep(pool: Pool, order: StepOrder): Promise<StepBeginning> {
  return (await beginNewStep(pool, order)) ?? (await beginStepAgain(pool, order));
}

/**
 * The same for a tool's step, by the run's price list. One that costs is begun only while the run's hold covers the most that it may use:
 * steps that run at once never use more together than their run can pay.
 */
export async function beginToolStep(pool: Pool, order: StepOrder & { prices: Pricing }): Promise<ToolBeginning> {
  if (!isPriced(order.prices, order.kind)) return beginStep(pool, order);
  const lock = (client: PoolClient) => Promise.all([lockRun(client, order.runId), readOpenTools(client, order)]);
  return inLockedTransaction<Awaited<ReturnType<typeof lock>>, ToolBeginning>(pool, lock, async (client, locked) => {
    const [run, open] = locked;
    const cover = coverStep(run, order.kind, open);
    if (!isTerminal(run.status) && !cover && !(await isCompleted(client, order))) return { state: 'unpaid', run };
    const started = (await beginNewStep(client, order)) ?? (await beginLockedAgain(client, order, run));
    return { ...started, ...(cover && { cover }) };
  });
}

async function isCompleted(client: PoolClient, { runId, step }: StepRef): Promise<boolean> {
  const values = [runId, step];
  return (await client.query({ name: 'run_steps_completed', text: COMPLETED, values })).rowCount !== 0;
}

/**
 * The same for a step of the model whose conversation need not be known before: it is read at the same time. The step gets the name of
 * the agent's model: `standardModel` when the agent names none.
 */
export async function beginModelStep(
  pool: Pool,
  { standardModel, ...ref }: StepRef & { standardModel: string },
): Promise<[StepBeginning, Conversation]> {
  const order = { ...ref, kind: 'model', name: standardModel } as const;
  const [started, conversation] = await Promise.all([
    beginNewStep(pool, order, { byAgent: true }),
    readConversation(pool, ref.runId),
  ]);
  const name = conversation.configuration.model || standardModel;
  if (!started) return [await beginStepAgain(pool, { ...order, name }), conversation];
  return [{ ...started, begun: { ...started.begun, name } }, conversation];
}

// The common case, in one statement. `byAgent`: the step has the name of its agent's model, if the agent names one.
async function beginNewStep(
  client: Queryable,
  order: StepOrder,
  { byAgent = false } = {},
): Promise<(StepBeginning & { state: 'begun' }) | undefined> {
  const { runId, step, kind, name } = order;
  const begun = { runId, step, id: stepIdOf(runId, step), attempt: 1, kind, name };
  const started = stepEvent('run.step.started', begun, argumentsIn(order));
  const events = step === FIRST_STEP ? [RUN_BEGUN, started] : [started];
  const values = [runId, step, begun.id, kind, name, JSON.stringify(events), step === FIRST_STEP, byAgent];
  const noticeOf = (row: LockedRun) => ({ runId, sequence: row.last_sequence });
  const [run] = await queryNoticed(client, BEGIN_NEW, values, noticeOf);
  return run && { state: 'begun', begun, run, events: headsOf(events, { sequence: run.last_sequence, at: run.at }) };
}

const beginStepAgain = (pool: Pool, order: StepOrder): Promise<StepBeginning> =>
  inTransaction(pool, async (client) => beginLockedAgain(client, order, await lockRun(client, order.runId)));

async function beginLockedAgain(client: PoolClient, order: StepOrder, run: LockedRun): Promise<StepBeginning> {
  const { runId, step } = order;
  if (isTerminal(run.status)) return { state: 'over' };
  const { rows } = await client.query<{
    state: string;
    attempt: number;
    result: object;
    kind: StepKind;
    name: string;
  }>({
    name: 'run_steps_begin_again',
    text: BEGIN_AGAIN,
    values: [runId, step],
  });
  // No step began: the run is being cancelled, or the agent of a queued run is suspended.
  if (!rows[0]) return { state: run.status === 'cancelling' ? 'cancelling' : 'suspended' };
  const { state, attempt, result, ...begunAs } = rows[0];
  if (state === 'completed') {
    const begun = run.status === 'queued' ? await beginRerun(client, runId) : run;
    return begun ? { state: 'done', run: begun, result } : { state: 'suspended' };
  }
  await client.query({ name: 'run_meters_reset', text: RESET, values: [runId, step] });
  const begun = { runId, step, id: stepIdOf(runId, step), attempt, ...begunAs };
  const { heads } = await appendEvents(client, runId, [stepEvent('run.step.started', begun, argumentsIn(order))]);
  return { state: 'begun', begun, run, events: heads };
}

// The event has the name that the database found.
const NAMED = `
case when $8 and e.event ->> 'type' = 'run.step.started' then jsonb_build_object('name', run.step_name, 'model', run.step_name) else '{}' end`;

const BEGIN_NEW = noticed(
  'run_steps_begin_new',
  (notice) => `
with taken as (
  update runs r set last_sequence = r.last_sequence + json_array_length($6),
    status = case when $7 then 'in_progress' else r.status end, started_at = coalesce(r.started_at, ledger_now(r.workspace_id)),
    workflow_started_at = coalesce(r.workflow_started_at, now())
  where r.id = $1 and r.settled_at is null and r.status <> 'cancelling' and not exists (select from run_steps s where s.run_id = $1 and s.step = $2)
    and case when $7 then r.status = 'queued' and not ${IS_SUSPENDED} else r.started_at is not null end
  returning *),
run as (
  select taken.*, case when $8 then coalesce(nullif(v.configuration ->> 'model', ''), $5) else $5 end as step_name
  from taken left join agent_versions v on v.id = taken.version_id),
step as (
  insert into run_steps (run_id, step, workspace_id, id, kind, name, started_at)
  select id, $2, workspace_id, $3, $4, step_name, ledger_now(workspace_id) from run),
${addingEvents('$6', NAMED)}
select run.*, ${TIMES}, ${notice} from run`,
);

const BEGIN_AGAIN = `
update run_steps set attempt = attempt + case state when 'completed' then 0 else 1 end,
  state = case state when 'completed' then state else 'started' end,
  ended_at = case state when 'completed' then ended_at end, error_code = case state when 'completed' then error_code end, retry_at = null
where run_id = $1 and step = $2
returning state, attempt, result, kind, name`;

const RESET = `update run_meters set quantity_thousandths = 0 where run_id = $1 and step = $2`;

const COMPLETED = `select from run_steps where run_id = $1 and step = $2 and state = 'completed'`;
