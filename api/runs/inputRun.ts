import { z } from 'zod';
import type { ActionAnswer } from '../../db/runs/waiting/actions.ts';
import { answerActions } from '../../db/runs/waiting/answerActions.ts';
import { usdOf } from '../../db/money.ts';
import { findRun, isAnswered, type RunRow } from '../../db/runs/runRow.ts';
import type { Context, Handler } from '../context.ts';
import { explainRefusal } from '../../calls/funds.ts';
import { parseWith, pathId } from '../body/parseWith.ts';
import { checkPayingKey, seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { actionAnswered, actionNotFound, answerTooLate, answerUnfit, inputNotWanted, runNotWaiting } from './errors.ts';
import { invalidCost, runNotFound } from '../../orders/errors.ts';
import { presentRun } from './runAnswers.ts';
import { OneAnswer, type RunAnswer } from './runSchema.ts';

/**
 * `POST /v1/runs/{run_id}/input`: answers what the run waits for, one action or several, or raises its limit. 202 with the run, which
 * continues once nothing is open.
 */
export function inputRun(services: Services): Handler<z.output<typeof RunAnswer>> {
  return async (ctx) => {
    const { input } = ctx.state;
    const runId = pathId(ctx, 'run_id');
    const given = 'answers' in input ? { answers: input.answers, isList: true } : { answers: [input] };
    ctx.body = presentRun(await giveAnswers(ctx, services, { runId, ...given }));
    ctx.status = 202;
  };
}

/** Answers a waiting run with one answer. */
export const giveAnswer = (
  ctx: Context,
  services: Services,
  { runId, answer }: { runId: string; answer: ActionAnswer },
): Promise<RunRow> => giveAnswers(ctx, services, { runId, answers: [answer] });

const parseAnswers = parseWith(z.array(OneAnswer), 'body');

interface Given {
  runId: string;
  answers: ActionAnswer[];
  /** They were sent as a list: errors name the place in it. */
  isList?: boolean;
}

/** Answers a waiting run, which then continues or waits for the rest. Throws the reason if it does not wait for these answers. */
export async function giveAnswers(ctx: Context, services: Services, given: Given): Promise<RunRow> {
  // Some doors make answers of what people write in a client.
  const answered = await tryAnswers(ctx, services, { ...given, answers: parseAnswers(given.answers) });
  const placeOf = (at: number) => (given.isList ? ['answers', String(at)] : []);
  switch (answered.outcome) {
    case 'not_found':
      throw runNotFound(given.runId);
    case 'not_waiting':
      throw runNotWaiting(answered.status);
    case 'too_late':
      throw answerTooLate();
    case 'other_type':
      throw inputNotWanted(answered.action);
    case 'no_such_action':
      throw actionNotFound(given.answers[answered.at]!.step_id!);
    case 'answered_already':
      throw actionAnswered(given.answers[answered.at]!.step_id!);
    case 'unfit':
      throw answerUnfit(placeOf(answered.at), answered.faults);
    case 'out_of_range': {
      const [lowUsd, highUsd] = [usdOf(answered.minimumNanos), usdOf(answered.maximumNanos)];
      throw invalidCost(`The limit can be raised from ${lowUsd} to at most ${highUsd} US dollars.`);
    }
    case 'answered':
      // One that still waits tells its other readers what is left.
      if (isAnswered(answered.run) || answered.run.required_actions) services.runStarter.resume(answered.run);
      return answered.run;
    default:
      return answered satisfies never;
  }
}

async function tryAnswers(ctx: Context, { db }: Services, { runId, answers }: Given) {
  const { workspaceId, accountId, seesProjects } = ctx.state.key;
  const raises = answers.some(({ type }) => type === 'raise_limit');
  if (seesProjects || raises) {
    // Some doors name the run in their body, where the routes' guard does not look.
    const run = await findRun(seenBy(db, ctx.state.key), runId);
    if (!run) return { outcome: 'not_found' as const };
    if (raises) await checkPayingKey(db, ctx.state.key, { of: 'run', payerId: run.key_id });
  }
  try {
    return await answerActions(db.ledger, { workspaceId, accountId, runId, answers });
  } catch (error) {
    throw await explainRefusal(ctx.state, db, error);
  }
}
