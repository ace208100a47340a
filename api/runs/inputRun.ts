import { answerAction, type ActionAnswer } from '../../db/runs/states/pauseRun.ts';
import { usdOf } from '../../db/money.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Context, Handler } from '../context.ts';
import { explainRefusal } from '../../calls/funds.ts';
import { pathId } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import { inputNotWanted, runNotWaiting } from './errors.ts';
import { invalidCost, runNotFound } from '../../orders/errors.ts';
import { presentRun } from './runAnswers.ts';

/**
 * `POST /v1/runs/{run_id}/input`: supplies the input that the run waits for, or raises its limit. 202 with the run, which then continues.
 */
export function inputRun(services: Services): Handler<ActionAnswer> {
  return async (ctx) => {
    const answer = ctx.state.input;
    ctx.body = presentRun(await giveAnswer(ctx, services, { runId: pathId(ctx, 'run_id'), answer }));
    ctx.status = 202;
  };
}

/** Answers a waiting run, which then continues. Throws the reason if it does not wait for this answer. */
export async function giveAnswer(
  ctx: Context,
  services: Services,
  { runId, answer }: { runId: string; answer: ActionAnswer },
): Promise<RunRow> {
  const answered = await tryAnswer(ctx, services, { runId, answer });
  switch (answered.outcome) {
    case 'not_found':
      throw runNotFound(runId);
    case 'not_waiting':
      throw runNotWaiting(answered.status);
    case 'other_type':
      throw inputNotWanted(answered.action);
    case 'out_of_range': {
      const [lowUsd, highUsd] = [usdOf(answered.minimumNanos), usdOf(answered.maximumNanos)];
      throw invalidCost(`The limit can be raised from ${lowUsd} to at most ${highUsd} US dollars.`);
    }
    case 'answered':
      services.runStarter.resume(answered.run);
      return answered.run;
    default:
      return answered satisfies never;
  }
}

async function tryAnswer(ctx: Context, { db }: Services, given: { runId: string; answer: ActionAnswer }) {
  const { workspaceId, accountId } = ctx.state.key;
  try {
    return await answerAction(db.ledger, { workspaceId, accountId, ...given });
  } catch (error) {
    throw await explainRefusal(ctx.state, db, error);
  }
}
