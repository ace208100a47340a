import type { ClientBase } from 'pg';
import type { RequiredAction } from '../../entities/runStates.ts';
import { appendEvents, type NewEvent } from '../../events/appendEvents.ts';
import { usdOf } from '../../money.ts';
import { inTransaction } from '../../postgres/transaction.ts';
import { lockRun, type LockedRun, type RunStore } from '../runRow.ts';
import { actionAt, actionsOf, isLate, isOver, waitingData, type ActionAnswer, type GivenAnswer } from './actions.ts';
import { answerActions } from './answerActions.ts';
import { keepResult, waitingOf, type Waiting } from './askCaller.ts';

/** The steps that a run waits for, and the step of the model that called them. */
export interface WaitOrder {
  runId: string;
  modelStep: number;
  steps: number[];
}

/**
 * Takes the answers that the caller has given so far, and the default answers whose time is up. With the last one the run goes on; until
 * then each answer is told by an event with the actions that remain. `isExpired`: the time of an action without a default is up.
 * Idempotent.
 */
export async function takeAnswers(db: RunStore, order: WaitOrder): Promise<Waiting> {
  const expired = await inTransaction(db.pool, async (client) => expiredOf(await lockRun(client, order.runId)));
  if (expired === 'over') return { events: [], isExpired: true, settled: [] };
  if (expired.answers.length > 0) {
    const { run, answers } = expired;
    const place = { workspaceId: run.workspace_id, accountId: run.account_id, runId: run.id };
    await answerActions(db.ledger, { ...place, answers, areDefaults: true });
  }
  return inTransaction(db.pool, async (client) => take(client, await lockRun(client, order.runId), order));
}

/** The default answers whose time is up; `over`: an action without a default is too late. */
function expiredOf(run: LockedRun): { run: LockedRun; answers: GivenAnswer[] } | 'over' {
  if (run.status !== 'requires_action' || !run.required_actions) return { run, answers: [] };
  const actions = merged(run);
  if (isOver(actions, run.at)) return 'over';
  const late = actions.filter((action) => !action.answer && isLate(action, run.at));
  return { run, answers: late.map(defaultAnswerOf) };
}

function defaultAnswerOf({ type, default: value, step_id: id }: RequiredAction): GivenAnswer {
  const step_id = id as string;
  return type === 'form'
    ? { type, step_id, data: value as Record<string, unknown> }
    : { type: 'text', step_id, text: value as string };
}

// An API of an older version answers only the one action that it knows.
function merged(run: LockedRun): RequiredAction[] {
  const { required_action: first } = run;
  return actionsOf(run).map((action) =>
    first?.answer && !action.answer && action.step_id === first.step_id ? { ...action, answer: first.answer } : action,
  );
}

async function take(client: ClientBase, run: LockedRun, { modelStep, steps }: WaitOrder): Promise<Waiting> {
  if (run.status !== 'requires_action' || !run.required_actions) return waitingOf(client, run, { events: [], steps });
  const actions = merged(run);
  // An attempt that its workflow gave up takes nothing of a later question.
  if (!steps.some((step) => actionAt(actions, run.id, step))) return waitingOf(client, run, { events: [], steps });
  const open = actions.filter(({ answer }) => !answer);
  const taken = actions.filter(({ answer, taken: isTaken }) => answer && !isTaken);
  if (open.length === 0) {
    for (const step of steps) {
      const action = actionAt(actions, run.id, step);
      if (action) await keepAnswer(client, run, { modelStep, step, action });
    }
    await client.query({ name: 'runs_go_on', text: GO_ON, values: [run.id] });
    const { heads } = await appendEvents(client, run.id, [{ type: 'run.in_progress', data: {} }]);
    return waitingOf(client, { ...run, status: 'in_progress' }, { events: heads, steps });
  }
  if (taken.length === 0) return waitingOf(client, run, { events: [], steps });
  const all = actions.map((action) => (action.answer ? { ...action, taken: true } : action));
  await client.query({
    name: 'runs_wait_on',
    text: WAIT_ON,
    values: [run.id, JSON.stringify(open[0]), JSON.stringify(all)],
  });
  const event: NewEvent = { type: 'run.requires_action', data: waitingData(open, usdOf(BigInt(run.held_nanos))) };
  const { heads } = await appendEvents(client, run.id, [event]);
  return waitingOf(client, { ...run, required_actions: all }, { events: heads, steps });
}

interface Answered {
  modelStep: number;
  step: number;
  action: RequiredAction;
}

// The caller's answer is the result of the question's step: the model reads it as the result of its call. So is a refusal.
async function keepAnswer(client: ClientBase, run: LockedRun, { modelStep, step, action }: Answered): Promise<void> {
  const answer = action.answer as ActionAnswer;
  if (answer.type === 'text' || answer.type === 'form') {
    const text = answer.type === 'text' ? answer.text : JSON.stringify(answer.data);
    return keepResult(client, run, { step, name: 'ask_user', result: { text, isError: false } });
  }
  if (answer.type !== 'tool_approval') return;
  if (answer.decision === 'refuse') {
    const result = { text: refusal(answer.reason), isError: true };
    return keepResult(client, run, { step, name: action.name as string, result, errorCode: REFUSED });
  }
  const { arguments: edited } = answer;
  const values = [run.id, modelStep, step, edited ? 'edited' : 'approved', edited ? JSON.stringify(edited) : null];
  await client.query({ name: 'run_steps_approve', text: APPROVE, values });
}

/** The error code of a step whose call the caller has refused. */
const REFUSED = 'refused';

/** What the model reads about a refused call. */
export const refusal = (reason?: string): string =>
  reason ? `The user refused this call: ${reason}` : 'The user refused this call. Do not repeat it.';

const GO_ON = `update runs set status = 'in_progress', required_action = null, required_actions = null where id = $1`;

const WAIT_ON = `update runs set required_action = $2::jsonb, required_actions = $3::json where id = $1`;

// The call keeps what the model had proposed.
const APPROVE = `
update run_steps set result = jsonb_set(result, '{toolCalls}', (
  select jsonb_agg(case when (call ->> 'step')::int <> $3 or call ->> 'step' is null then call
    else call || jsonb_build_object('approval', $4::text)
      || case when $5::text is null then '{}' else jsonb_build_object('arguments', $5::text, 'proposed', call ->> 'arguments') end
    end order by at)
  from jsonb_array_elements(result -> 'toolCalls') with ordinality t(call, at)))
where run_id = $1 and step = $2`;
