import type { z } from 'zod';
import type { EvaluationCase } from '../../db/entities/evaluation.ts';
import { findEvaluationSet, removeEvaluationSet, storeEvaluationSet } from '../../db/evaluations/evaluationSets.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { readPublisherAgent } from '../publisher/agents.ts';
import { agentNotFound } from '../publisher/errors.ts';
import type { Services } from '../services.ts';
import { presentSet, type DeletedEvaluationSet } from './evaluationAnswers.ts';
import { setChanged, setNotFound, unknownJudge } from './evaluationErrors.ts';
import type { EvaluationSetBody } from './evaluationSchema.ts';

/** `GET …/evaluation-set`: the cases of an agent; none with the revision 0 for an agent without a set. */
export function retrieveSet({ db }: Services): Handler {
  return async (ctx) => {
    const { id } = await readPublisherAgent(ctx, db);
    ctx.body = presentSet(id, await findEvaluationSet(db.read(ctx.state.key.workspaceId), id));
  };
}

/** `PUT …/evaluation-set`: replaces the cases. Throws 409 `evaluation_set_changed`, and 422 for a model that the catalogue does not have. */
export function replaceSet({ db, agentModels }: Services): Handler<z.output<typeof EvaluationSetBody>> {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const { workspaceId } = ctx.state.key;
    const { cases, revision = null } = ctx.state.input;
    refuseUnknownJudges(agentModels, cases);
    const stored = await storeEvaluationSet(db.write(workspaceId), { agentId, revision, cases });
    if (stored.outcome === 'not_found') throw agentNotFound(agentId);
    if (stored.outcome === 'stale') throw setChanged(stored.revision);
    ctx.body = presentSet(agentId, await findEvaluationSet(db.write(workspaceId), agentId));
  };
}

/** `DELETE …/evaluation-set`: deletes the cases. Runs of them stay. */
export function deleteSet({ db }: Services): Handler {
  return async (ctx) => {
    const { id } = await readPublisherAgent(ctx, db);
    if (!(await removeEvaluationSet(db.write(ctx.state.key.workspaceId), id))) throw setNotFound();
    ctx.body = { object: 'evaluation.set', agent_id: id, deleted: true } satisfies z.infer<typeof DeletedEvaluationSet>;
  };
}

function refuseUnknownJudges({ choices }: Services['agentModels'], cases: EvaluationCase[]): void {
  const ids = choices.map(({ id }) => id);
  for (const [at, { checks }] of cases.entries())
    for (const [checkAt, check] of checks.entries())
      if (check.type === 'score_model' && check.model !== null && !ids.includes(check.model))
        throw unknownJudge(at, checkAt, ids);
}
