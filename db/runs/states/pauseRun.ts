import type { Pool, ClientBase } from 'pg';
import type { Ledger } from '../../ledger/ledger.ts';
import { usdOf } from '../../money.ts';
import type { PluginNeed } from '../../plugins/plugins.ts';
import { inTransaction } from '../../postgres/transaction.ts';
import { costOf } from '../cost/runCost.ts';
import { appendEvents, type EventHead } from '../../events/appendEvents.ts';
import { stepIdOf, lockRun, type LockedRun } from '../runRow.ts';
import { waitingData } from '../waiting/actions.ts';
import { ANSWER_LIMIT_MS } from '../../../base/limits.ts';

/** Why a run waits for its caller. `step` is the step that gets the answer; it also makes pausing idempotent. */
type Pause =
  | { type: 'raise_limit'; step: number }
  | { type: 'text'; step: number; question: string }
  | { type: 'plugin'; step: number; need: PluginNeed & { message: string; url: string } };

const ANSWER_LIMIT = `interval '${ANSWER_LIMIT_MS} milliseconds'`;

/**
 * Pauses a run until its caller answers. Its hold shrinks to its usage; the rest is free for others and reserved again with the answer.
 * Idempotent. A run that is no longer in progress is unchanged.
 */
export async function pauseRun(
  { pool, ledger }: { pool: Pool; ledger: Pick<Ledger, 'shrinkRun'> },
  runId: string,
  pause: Pause,
): Promise<{ events: EventHead[] }> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    if (run.status !== 'in_progress') return { events: [] };
    const { totalNanos } = costOf(run);
    const { rows } = await client.query({
      name: 'runs_pause',
      text: PAUSE,
      values: [runId, JSON.stringify(actionOf(run, pause)), totalNanos],
    });
    const data = waitingData([rows[0].required_action], usdOf(totalNanos));
    const { heads } = await appendEvents(client, runId, [{ type: 'run.requires_action', data }]);
    await ledger.shrinkRun(client, run.hold_id, totalNanos);
    return { events: heads };
  });
}

/**
 * Takes the caller's answer. Null when there is none yet; `isExpired`: it is too late for one. Idempotent: the answer stays with its
 * step.
 */
export async function resumeRun(
  pool: Pool,
  { runId, step }: { runId: string; step: number },
): Promise<{ events: EventHead[]; isExpired?: true } | null> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    const { status, required_action: action } = run;
    if (status !== 'requires_action') return { events: [] };
    if (action?.step_id !== stepIdOf(runId, step)) return { events: [] };
    if (!action.answer) return (await isExpired(client, runId)) ? { events: [], isExpired: true } : null;
    await client.query({ name: 'runs_resume', text: RESUME, values: [runId] });
    await keepAnswer(client, run, step, action);
    return { events: (await appendEvents(client, runId, [{ type: 'run.in_progress', data: {} }])).heads };
  });
}

// The row ends a wait, whose test workspace may have moved its clock: timers of workflows do not follow it.
async function isExpired(client: ClientBase, runId: string): Promise<boolean> {
  return (await client.query({ name: 'runs_answer_expired', text: EXPIRED, values: [runId] })).rows[0].expired;
}

function actionOf(run: LockedRun, pause: Pause): object {
  const step_id = stepIdOf(run.id, pause.step);
  if (pause.type === 'text') return { type: 'text', question: pause.question, step_id };
  if (pause.type === 'plugin') return { ...pause.need, step_id };
  return {
    type: 'raise_limit',
    step_id,
    max_cost_usd: usdOf(BigInt(run.max_cost_nanos)),
    held_usd: usdOf(BigInt(run.held_nanos)),
  };
}

// The caller's answer is the result of the question's step: the model reads it as the result of its call.
async function keepAnswer(
  client: Pick<Pool, 'query'>,
  run: LockedRun,
  step: number,
  action: { type: string; answer?: object },
): Promise<void> {
  if (action.type !== 'text') return;
  const { text } = action.answer as { text: string };
  const result = JSON.stringify({ text, isError: false });
  await client.query(ANSWER, [run.id, step, run.workspace_id, stepIdOf(run.id, step), result]);
}

const PAUSE = `
update runs set status = 'requires_action', held_nanos = $3,
  required_action = $2::jsonb || jsonb_build_object('expires_at', to_char((ledger_now(workspace_id) + ${ANSWER_LIMIT}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
where id = $1 returning required_action`;

const EXPIRED = `select (required_action->>'expires_at')::timestamptz <= ledger_now(workspace_id) as expired from runs where id = $1`;

const RESUME = `update runs set status = 'in_progress', required_action = null where id = $1`;

const ANSWER = `
insert into run_steps (run_id, step, workspace_id, id, kind, name, state, result, started_at, ended_at)
values ($1, $2, $3, $4, 'tool', 'ask_user', 'completed', $5, ledger_now($3), ledger_now($3)) on conflict do nothing`;
