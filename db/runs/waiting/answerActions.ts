import { isDeepStrictEqual } from 'node:util';
import type { ClientBase } from 'pg';
import type { SchemaFault } from '../../../base/jsonSchema.ts';
import type { RequiredAction } from '../../entities/runStates.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { nanosOfUsd } from '../../money.ts';
import type { RunRow, RunStatus } from '../runRow.ts';
import { actionsOf, isOver, type ActionAnswer, type GivenAnswer } from './actions.ts';
import { faultsOfActionAnswer } from './checkAnswer.ts';

/** The result of answering. Only `answered` changed anything. `at`: the place of the answer among those sent. */
type Answered =
  | { outcome: 'not_found' }
  | { outcome: 'not_waiting'; status: RunStatus }
  | { outcome: 'too_late' }
  | { outcome: 'other_type'; action: RequiredAction; at: number }
  | { outcome: 'no_such_action' | 'answered_already'; at: number }
  | { outcome: 'unfit'; at: number; faults: SchemaFault[] }
  | { outcome: 'out_of_range'; minimumNanos: bigint; maximumNanos: bigint }
  | { outcome: 'answered'; run: RunRow };

type Refused = Exclude<Answered, { outcome: 'answered' }>;

type Extend = Parameters<Parameters<Ledger['extendRunPatiently']>[1]>[1];

interface AnswerOrder {
  workspaceId: string;
  accountId: string;
  runId: string;
  answers: GivenAnswer[];
  /** Answers that the run takes by itself, when their time is up: without money the run ends at its next call of the model. */
  areDefaults?: true;
}

/**
 * Stores answers in the run's row, where its workflow reads them: all or none. The same answer again changes nothing. With the last open
 * action the money is reserved that the run returned while it waited: for a higher limit all of it, otherwise as much as is free up to the
 * run's limit. Throws `HoldRefused` when the money is missing: then the run keeps waiting. A plugin's need is met without money too: such a
 * run ends at its next call of the model.
 */
export function answerActions(ledger: Ledger, order: AnswerOrder): Promise<Answered> {
  const { workspaceId, accountId, runId, answers } = order;
  return ledger.extendRunPatiently(accountId, async (client, extend) => {
    const { rows } = await client.query<RunRow>({ name: 'runs_lock_own', text: LOCK, values: [runId, workspaceId] });
    const run = rows[0];
    if (!run) return { outcome: 'not_found' };
    const { status, required_action: action } = run;
    if (status !== 'requires_action' || action === null) return { outcome: 'not_waiting', status };
    if (!order.areDefaults && isOver(actionsOf(run), await timeOf(client, workspaceId))) return { outcome: 'too_late' };
    const [only] = answers;
    if (only?.type === 'raise_limit' && !action.answer && action.type === 'raise_limit')
      return raiseLimit(client, extend, run, only);
    const given = withAnswers(run, answers, order.areDefaults);
    if ('outcome' in given) return given;
    if (!given.hasNew) return { outcome: 'answered', run };
    return store(client, extend, run, { order, actions: given.actions });
  });
}

/** The time since the lock: that of the transaction may be before the one in which the workflow has found that the run is over. */
async function timeOf(client: ClientBase, workspaceId: string): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>({ name: 'runs_answered_at', text: TIME, values: [workspaceId] });
  return rows[0]!.at;
}

const hasNames = (answers: GivenAnswer[]) => answers.every(({ step_id: id }) => id !== undefined);

/** The actions with these answers, or why one of them cannot be taken. */
function withAnswers(
  run: RunRow,
  answers: GivenAnswer[],
  areDefaults?: true,
): Refused | { actions: RequiredAction[]; hasNew: boolean } {
  const actions = actionsOf(run).map((action) => ({ ...action }));
  let hasNew = false;
  if (!hasNames(answers) && actions.every(({ answer }) => answer))
    return { outcome: 'not_waiting', status: run.status };
  for (const [at, answer] of answers.entries()) {
    const target = targetOf(actions, answer, at);
    if ('refused' in target) return target.refused;
    const { found } = target;
    const { step_id: _step, ...kept } = answer;
    if (found.answer) {
      if (areDefaults || isDeepStrictEqual(found.answer, kept)) continue;
      return { outcome: 'answered_already', at };
    }
    const faults = areDefaults ? [] : faultsOfActionAnswer(found, answer);
    if (faults.length > 0) return { outcome: 'unfit', at, faults };
    found.answer = kept;
    hasNew = true;
  }
  return { actions, hasNew };
}

type Target = { found: RequiredAction } | { refused: Refused };

function targetOf(actions: RequiredAction[], { step_id: stepId, type }: GivenAnswer, at: number): Target {
  const open = actions.filter((action) => !action.answer);
  const found =
    stepId === undefined
      ? (open.find((action) => action.type === type) ?? open[0] ?? actions[0]!)
      : actions.find(({ step_id: id }) => id === stepId);
  if (!found) return { refused: { outcome: 'no_such_action', at } };
  return found.type === type ? { found } : { refused: { outcome: 'other_type', action: found, at } };
}

async function raiseLimit(
  client: ClientBase,
  extend: Extend,
  run: RunRow,
  answer: ActionAnswer & { type: 'raise_limit' },
): Promise<Answered> {
  const action = run.required_action!;
  if (answer.step_id !== undefined && answer.step_id !== action.step_id) return { outcome: 'no_such_action', at: 0 };
  const maxNanos = BigInt(run.max_cost_nanos);
  // The runs it started have spent a part of its limit.
  const spentNanos = BigInt(run.children_nanos);
  const wantedNanos = nanosOfUsd(answer.max_cost_usd);
  const limits = { minimumNanos: maxNanos, maximumNanos: nanosOfUsd(run.rate_card.maximum_cost_usd) };
  const isInRange = wantedNanos >= limits.minimumNanos && wantedNanos <= limits.maximumNanos;
  // With no more money than when it stopped, it would stop at once.
  const totalNanos = wantedNanos - spentNanos;
  if (!isInRange || totalNanos <= nanosOfUsd(action.held_usd as number)) return { outcome: 'out_of_range', ...limits };
  const heldNanos = await heldFor(extend, run, totalNanos, totalNanos - BigInt(run.held_nanos));
  const { step_id: _step, ...kept } = answer;
  return keep(client, run, { action: { ...action, answer: kept }, all: null, maxNanos: wantedNanos, heldNanos });
}

async function store(
  client: ClientBase,
  extend: Extend,
  run: RunRow,
  { order, actions }: { order: AnswerOrder; actions: RequiredAction[] },
): Promise<Answered> {
  const maxNanos = BigInt(run.max_cost_nanos);
  const open = actions.find(({ answer }) => !answer);
  const all = run.required_actions && actions;
  // Until the last answer it waits, and holds no more than it has used.
  if (open) return keep(client, run, { action: open, all, maxNanos, heldNanos: BigInt(run.held_nanos) });
  const isFree = order.areDefaults || order.answers.every(({ type }) => type.startsWith('plugin_'));
  const heldNanos = await heldFor(extend, run, maxNanos - BigInt(run.children_nanos), isFree ? 0n : 1n);
  return keep(client, run, { action: actions[0]!, all, maxNanos, heldNanos });
}

async function heldFor(extend: Extend, run: RunRow, totalNanos: bigint, needNanos: bigint): Promise<bigint> {
  const heldNanos = BigInt(run.held_nanos);
  const { hold_id: holdId, key_id: keyId } = run;
  return (
    heldNanos + (await extend({ holdId, keyId, wantNanos: totalNanos - heldNanos, needNanos, keptNanos: heldNanos }))
  );
}

interface Kept {
  action: RequiredAction;
  all: RequiredAction[] | null;
  maxNanos: bigint;
  heldNanos: bigint;
}

async function keep(client: ClientBase, run: RunRow, { action, all, maxNanos, heldNanos }: Kept): Promise<Answered> {
  const { rows } = await client.query<RunRow>({
    name: 'runs_answer',
    text: KEEP,
    values: [run.id, JSON.stringify(action), all && JSON.stringify(all), maxNanos, heldNanos],
  });
  return { outcome: 'answered', run: rows[0]! };
}

const LOCK = 'select * from runs where id = $1 and workspace_id = $2 and deleted_at is null for update';

const TIME = 'select ledger_now($1) + (clock_timestamp() - now()) as at';

const KEEP = `
update runs set required_action = $2::jsonb, required_actions = $3::json, max_cost_nanos = $4, held_nanos = $5
where id = $1 returning *`;
