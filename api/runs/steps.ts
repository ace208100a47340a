import { findInstructions, findStep, listSteps } from '../../db/runs/steps/readSteps.ts';
import { findRun } from '../../db/runs/runRow.ts';
import type { Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { pathId } from '../body/parseWith.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import type { Services } from '../services.ts';
import { runNotFound } from '../../orders/errors.ts';
import { stepNotFound } from './errors.ts';
import { presentStep, presentWholeStep } from './stepAnswers.ts';

/** `GET /v1/runs/{run_id}/steps`: the steps of a run in order, each with its call, state, cost and the beginning of its result. */
export function listRunSteps({ db, cursors }: Services): Handler<PageInput> {
  return async (ctx) => {
    const runId = pathId(ctx, 'run_id');
    const rows = seenBy(db, ctx.state.key);
    const run = await findRun(rows, runId);
    if (!run) throw runNotFound(runId);
    await answerPage(ctx, cursors, {
      list: `steps ${runId}`,
      read: (page) => listSteps(rows, runId, page),
      present: (row) => presentStep(run, row),
    });
  };
}

/**
 * `GET /v1/runs/{run_id}/steps/{step_id}`: a step with its whole arguments and result. The agent's own workspace also sees the
 * instructions.
 */
export function retrieveRunStep({ db }: Services): Handler {
  return async (ctx) => {
    const [runId, stepId] = [pathId(ctx, 'run_id'), pathId(ctx, 'step_id')];
    const { workspaceId } = ctx.state.key;
    const rows = seenBy(db, ctx.state.key);
    const [run, row] = await Promise.all([findRun(rows, runId), findStep(rows, runId, stepId)]);
    if (!run) throw runNotFound(runId);
    if (!row) throw stepNotFound(stepId);
    const isOwn = run.publisher_workspace_id === workspaceId;
    const instructions = isOwn ? await findInstructions(rows, run.version_id) : null;
    ctx.body = presentWholeStep(run, row, instructions);
  };
}
