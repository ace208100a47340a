import type { ClientBase, Pool } from 'pg';
import { ANSWER_LIMIT_MS } from '../../../base/limits.ts';
import type { RequiredAction } from '../../entities/runStates.ts';
import { appendEvents, type EventHead, type NewEvent } from '../../events/appendEvents.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { usdOf } from '../../money.ts';
import { inTransaction } from '../../postgres/transaction.ts';
import { costOf } from '../cost/runCost.ts';
import { lockRun, stepIdOf, type LockedRun } from '../runRow.ts';
import { openActionsOf, waitingData, type NewAction } from './actions.ts';

/** A call that waits for the caller, or one that nobody has to answer: its result. */
export type Asked = { step: number } & (Asking | { name: string; result: { text: string; isError: boolean } });

interface Asking {
  action: NewAction;
  /** Until when it can be answered; as long as any other question when left out. */
  limitMs?: number;
}

/** How a run waits: `waitMs` until the next deadline, unless it goes on. `settled`: the calls that have their result already. */
export interface Waiting {
  events: EventHead[];
  waitMs?: number;
  isExpired?: true;
  settled: number[];
}

/**
 * Pauses a run until its caller has answered all of these. Its hold shrinks to its usage; the rest is free for others and reserved again
 * with the last answer. Calls that nobody has to answer get their results at once. Idempotent. A run that is no longer in progress is
 * unchanged, and so is one that has its answers: an attempt that its workflow gave up may end late.
 */
export async function askCaller(
  { pool, ledger }: { pool: Pool; ledger: Pick<Ledger, 'shrinkRun'> },
  runId: string,
  asked: Asked[],
): Promise<Waiting> {
  return inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    const steps = asked.map(({ step }) => step);
    if (run.status !== 'in_progress' || (await isAnswered(client, runId, steps)))
      return waitingOf(client, run, { events: [], steps });
    for (const one of asked) if ('result' in one) await keepResult(client, run, one);
    const actions = asked.flatMap((one) => ('action' in one ? [storedAction(run, one)] : []));
    if (actions.length === 0) return waitingOf(client, run, { events: [], steps });
    const { totalNanos } = costOf(run);
    const values = [runId, JSON.stringify(actions[0]), JSON.stringify(actions), totalNanos];
    await client.query({ name: 'runs_ask', text: ASK, values });
    const event: NewEvent = { type: 'run.requires_action', data: waitingData(actions, usdOf(totalNanos)) };
    const { heads } = await appendEvents(client, runId, [event]);
    await ledger.shrinkRun(client, run.hold_id, totalNanos);
    const paused = {
      ...run,
      status: 'requires_action',
      required_action: actions[0]!,
      required_actions: actions,
    } as const;
    return waitingOf(client, paused, { events: heads, steps });
  });
}

/** Whether the answers to these calls have been taken: one has its result, or has begun. */
async function isAnswered(client: ClientBase, runId: string, steps: number[]): Promise<boolean> {
  return (await client.query({ name: 'runs_is_answered', text: ANSWERED, values: [runId, steps] })).rows[0].answered;
}

function storedAction(run: LockedRun, { step, action, limitMs = ANSWER_LIMIT_MS }: { step: number } & Asking) {
  const expiresAt = new Date(run.at.getTime() + Math.min(limitMs, ANSWER_LIMIT_MS));
  const { type, ...content } = action;
  return { type, step_id: stepIdOf(run.id, step), ...content, expires_at: expiresAt.toISOString() } as RequiredAction;
}

/** How a run waits, from its row. */
export async function waitingOf(
  client: ClientBase,
  run: LockedRun,
  { events, steps }: { events: EventHead[]; steps: number[] },
): Promise<Waiting> {
  const { rows } = await client.query<{ step: number }>(SETTLED, [run.id, steps]);
  const settled = rows.map(({ step }) => step);
  if (run.status !== 'requires_action' || !run.required_actions) return { events, settled };
  const open = openActionsOf(run);
  const timesMs = open.map(({ expires_at: at }) => new Date(at as string).getTime());
  const waitMs = open.length === 0 ? 0 : Math.min(...timesMs) - run.at.getTime();
  return { events, settled, waitMs: Math.max(1, waitMs) };
}

/** Stores the result of a call that was not carried out, or of a question: the model reads it. Nothing is billed for it. */
export async function keepResult(
  client: ClientBase,
  run: Pick<LockedRun, 'id' | 'workspace_id'>,
  { step, name, result, errorCode = null }: { step: number; name: string; result: object; errorCode?: string | null },
): Promise<void> {
  const values = [run.id, step, run.workspace_id, stepIdOf(run.id, step), name, JSON.stringify(result), errorCode];
  await client.query({ name: 'run_steps_keep', text: KEEP, values });
}

const ASK = `
update runs set status = 'requires_action', required_action = $2::jsonb, required_actions = $3::json, held_nanos = $4 where id = $1`;

const ANSWERED = 'select exists (select from run_steps where run_id = $1 and step = any ($2::int[])) as answered';

const SETTLED = `select step from run_steps where run_id = $1 and step = any ($2::int[]) and state = 'completed' order by step`;

const KEEP = `
insert into run_steps (run_id, step, workspace_id, id, kind, name, state, result, error_code, started_at, ended_at)
values ($1, $2, $3, $4, 'tool', $5, 'completed', $6, $7, ledger_now($3), ledger_now($3)) on conflict do nothing`;
