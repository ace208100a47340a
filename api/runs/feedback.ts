import type { z } from 'zod';
import { removeFeedback, findFeedback, upsertFeedback, type Feedback } from '../../db/runs/feedback.ts';
import type { Context, Handler } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import { runNotFound } from '../../orders/errors.ts';
import type { FeedbackOrder } from './runSchema.ts';
import type { FeedbackAnswer } from './runAnswers.ts';

/** `GET /v1/runs/{run_id}/feedback`: the caller's feedback on the run, or JSON null. */
export function retrieveFeedback({ db }: Services): Handler {
  return async (ctx) => answerWith(ctx, db);
}

/** `PUT /v1/runs/{run_id}/feedback`: creates or replaces it. */
export function putFeedback({ db }: Services): Handler<z.output<typeof FeedbackOrder>> {
  return async (ctx) => {
    const { workspaceId, ...place } = placeOf(ctx);
    const { outcome, reason, source } = ctx.state.input;
    if (!(await upsertFeedback(db.write(workspaceId), place, { outcome, reason, source: source ?? null })))
      throw runNotFound(place.runId);
    await answerWith(ctx, db);
  };
}

/** `DELETE /v1/runs/{run_id}/feedback`: removes it. 204 even without feedback. */
export function deleteFeedback({ db }: Services): Handler {
  return async (ctx) => {
    const { workspaceId, ...place } = placeOf(ctx);
    const removed = await removeFeedback(db.write(workspaceId), place);
    if (!removed && (await findFeedback(db.read(workspaceId), place)) === undefined) throw runNotFound(place.runId);
    ctx.status = 204;
    ctx.body = null;
  };
}

// A key counts as one user, since requests do not name users.
function placeOf(ctx: Context) {
  const { workspaceId, keyId } = ctx.state.key;
  return { workspaceId, authorId: keyId, runId: pathId(ctx, 'run_id') };
}

async function answerWith(ctx: Context, db: Services['db']): Promise<void> {
  const { workspaceId, ...place } = placeOf(ctx);
  const feedback = await findFeedback(db.read(workspaceId), place);
  if (feedback === undefined) throw runNotFound(place.runId);
  ctx.type = 'application/json';
  ctx.body = feedback === null ? 'null' : present(feedback);
}

function present(feedback: Feedback): z.infer<typeof FeedbackAnswer> {
  return {
    id: feedback.id,
    object: 'run.feedback',
    run_id: feedback.runId,
    session_id: feedback.sessionId,
    agent: feedback.agent,
    outcome: feedback.outcome,
    reason: feedback.reason,
    source: feedback.source,
    created_at: new Date(feedback.createdAt).toISOString(),
    updated_at: new Date(feedback.updatedAt).toISOString(),
  };
}
