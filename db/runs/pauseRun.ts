import type { Pool } from 'pg';
import type { Database } from '../database.ts';
import { usdOf } from '../money.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { costOf } from './cost/rowCost.ts';
import { appendEvents, type EventHead } from './events/appendEvents.ts';
import { lockRun, type LockedRun } from './lockRun.ts';
import { stepIdOf } from './stepId.ts';

/** Why a run waits for its caller. `step` is the step that the answer belongs to, which also makes a pause happen once. */
export type Pause = { type: 'raise_limit'; step: number } | { type: 'text'; step: number; question: string };

const ANSWER_LIMIT = `interval '24 hours'`;

/**
 * Lets a run wait for its caller. Meanwhile it holds what it has consumed: the rest is free for others, and taken again with the answer.
 * May be repeated. A run that is no longer in progress stays as it is.
 */
export async function pauseRun(
  { pool, ledger }: Pick<Database, 'pool'> & { ledger: Pick<Database['ledger'], 'shrinkRun'> },
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
    const data = { required_action: rows[0].required_action as object, held_usd: usdOf(totalNanos) };
    const { heads } = await appendEvents(client, runId, [{ type: 'run.requires_action', data }]);
    await ledger.shrinkRun(client, run.hold_id, totalNanos);
    return { events: heads };
  });
}

/** Takes up what the caller answered. Null when there is no answer yet. May be repeated: the answer stays with its step. */
export async function resumeRun(
  pool: Pool,
  { runId, step }: { runId: string; step: number },
): Promise<{ events: EventHead[] } | null> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    const { status, required_action: action } = run;
    if (status !== 'requires_action') return { events: [] };
    if (action?.step_id !== stepIdOf(runId, step)) return { events: [] };
    if (!action.answer) return null;
    await client.query({ name: 'runs_resume', text: RESUME, values: [runId] });
    await keepAnswer(client, run, step, action);
    return { events: (await appendEvents(client, runId, [{ type: 'run.in_progress', data: {} }])).heads };
  });
}

function actionOf(run: LockedRun, pause: Pause): object {
  const step_id = stepIdOf(run.id, pause.step);
  if (pause.type === 'text') return { type: 'text', question: pause.question, step_id };
  return {
    type: 'raise_limit',
    step_id,
    max_cost_usd: usdOf(BigInt(run.max_cost_nanos)),
    held_usd: usdOf(BigInt(run.held_nanos)),
  };
}

// What the caller said is what the question's step came to: the model reads it as the result of its call.
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
  required_action = $2::jsonb || jsonb_build_object('expires_at', to_char((now() + ${ANSWER_LIMIT}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
where id = $1 returning required_action`;

const RESUME = `update runs set status = 'in_progress', required_action = null where id = $1`;

const ANSWER = `
insert into run_steps (run_id, step, workspace_id, id, kind, name, state, result, ended_at)
values ($1, $2, $3, $4, 'tool', 'ask_user', 'completed', $5, now()) on conflict do nothing`;
