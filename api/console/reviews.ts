import type { z } from 'zod';
import { isMember } from '../../db/accounts/members.ts';
import { addComment, readReviews, type ReviewRow } from '../../db/agents/deployments.ts';
import type { Feedback } from '../../db/entities/agent.ts';
import { moveDeployment, type DeploymentMove } from '../../db/publishing/moveDeployment.ts';
import { moveRollout } from '../../db/publishing/rollout/rollout.ts';
import { noteSight, readReview, type Review } from '../../db/publishing/review/reviewer.ts';
import type { AnyRows, AnyTransaction } from '../../db/postgres/rows.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import { refuseRollout } from '../publisher/deployments.ts';
import { presentFeedback, presentRollout, statusOf } from '../publisher/present.ts';
import { deploymentState } from '../publisher/errors.ts';
import type { CommentBody } from '../publisher/publisherSchema.ts';
import { plansOf, takePlan, type RolloutPlan } from '../publisher/rolloutPlan.ts';
import { deploymentNotFound } from '../temporal/reviewErrors.ts';
import type { Services } from '../services.ts';
import { ownAgent } from './operatorKey.ts';
import { answerPage } from '../http/page.ts';
import type { Review as ReviewAnswer, ReviewDetail } from '../publisher/publisherAnswers.ts';
import type { ApprovalBody, DecisionBody, ReviewListQuery } from './consoleSchema.ts';

type DecisionInput = z.output<typeof DecisionBody>;

/** `GET /console/v1/reviews?status=`: the queue, the oldest first. */
export function listReviews({ db, cursors }: Services): Handler<z.output<typeof ReviewListQuery>> {
  return (ctx) => {
    const { status } = ctx.state.input;
    return answerPage(ctx, cursors, {
      list: `reviews ${status}`,
      read: async ({ after, limit }) => {
        const { reviews, hasMore } = await readReviews(db.everywhere, { status, afterId: after, limit });
        return { rows: reviews, hasMore };
      },
      present: presentReview,
    });
  };
}

/**
 * `GET /console/v1/deployments/{deployment_id}`: the data for a decision: configurations, feedback, comments, audit. The view itself is
 * audited.
 */
export function retrieveReview({ db }: Services): Handler {
  return async (ctx) => {
    const review = await read(db.everywhere, pathId(ctx, 'deployment_id'));
    await noteSight(db.everywhere, actorOf(ctx), review);
    ctx.body = presentDetail(review);
  };
}

/** Throws 404 `deployment_not_found` for an unknown submission. A view of trials is audited like a view of the submission. */
export const checkSeen =
  ({ db }: Services) =>
  async (ctx: Context, deploymentId: string): Promise<void> =>
    noteSight(db.everywhere, actorOf(ctx), await read(db.everywhere, deploymentId));

/** Approve, request changes, reject: the review's workflow decides, once. 409 `review_already_decided` for a second decision. */
export function decideReview(
  { db, reviews }: Services,
  move: 'approve' | 'request_changes' | 'reject',
): Handler<z.output<typeof ApprovalBody>> {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    await checkStranger(db, ctx, deploymentId);
    const { rollout_percentage: rolloutPercentage, rollout_steps: steps } = ctx.state.input;
    const decision = { deploymentId, move, feedback: feedbackOf(ctx), by: operatorOf(ctx) };
    await reviews.decide({
      ...decision,
      ...(rolloutPercentage !== undefined && { rolloutPercentage }),
      ...(steps && { rolloutSteps: plansOf(steps) }),
    });
    ctx.body = presentDetail(await read(db.everywhere, deploymentId));
  };
}

/** Suspends a live deployment, or reinstates it. 409 `deployment_state` in any other state. */
export function switchDeployment(
  { db }: Services,
  move: Extract<DeploymentMove, 'suspend' | 'reinstate'>,
): Handler<DecisionInput> {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    // Suspending an own agent only protects its callers.
    if (move === 'reinstate') await checkStranger(db, ctx, deploymentId);
    else await read(db.everywhere, deploymentId);
    const order = { deploymentId, move, feedback: feedbackOf(ctx), by: operatorOf(ctx) };
    await answerChanged(ctx, db, async (tx) => {
      const moved = await moveDeployment(tx, order);
      if (moved.outcome === 'not_found') throw deploymentNotFound(deploymentId);
      if (moved.outcome === 'wrong_state') throw deploymentState(moved.status);
    });
  };
}

/** Ends a rollout by hand: promotes its version to the default, or rolls it back. */
export function switchRollout({ db }: Services, move: 'promote' | 'roll_back'): Handler {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    if (move === 'promote') await checkStranger(db, ctx, deploymentId);
    else await read(db.everywhere, deploymentId);
    await answerChanged(ctx, db, async (tx) =>
      refuseRollout(await moveRollout(tx, { deploymentId, move, by: actorOf(ctx) }), deploymentId),
    );
  };
}

/** `POST /console/v1/deployments/{deployment_id}/rollout`: plans the pending steps of its rollout. */
export function planAnyRollout({ db }: Services): Handler<RolloutPlan> {
  return async (ctx) => {
    await read(db.everywhere, pathId(ctx, 'deployment_id'));
    await answerChanged(ctx, db, (tx) => takePlan(ctx, tx));
  };
}

/** `POST /console/v1/deployments/{deployment_id}/comments`: adds a comment for the publisher. */
export function commentAsOperator({ db }: Services): Handler<z.output<typeof CommentBody>> {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    const { message } = ctx.state.input;
    const { resourceId: id } = ctx.state;
    await read(db.everywhere, deploymentId);
    ctx.status = 201;
    await answerChanged(ctx, db, async (tx) => {
      const added = await addComment(tx, { id, deploymentId, by: actorOf(ctx), message });
      if (!added) throw deploymentNotFound(deploymentId);
    });
  };
}

const operatorOf = ({ state: { key, member, requestId } }: Context) => ({
  operatorKeyId: key.keyId,
  operatorUserId: member?.userId,
  requestId,
});

function feedbackOf(ctx: Context<DecisionInput>): (Feedback & { source: 'operator' })[] {
  return ctx.state.input.feedback.map((item) => ({ source: 'operator' as const, ...item }));
}

async function checkStranger(db: Services['db'], ctx: Context, deploymentId: string): Promise<void> {
  const { workspaceId } = await read(db.everywhere, deploymentId);
  const { key, member } = ctx.state;
  const isOwn = member ? await isMember(db.everywhere, member.userId, workspaceId) : workspaceId === key.workspaceId;
  if (isOwn) throw ownAgent();
}

/** Changes a submission and answers with it: read by the transaction that stores it, because a later error would have it changed again. */
async function answerChanged(
  ctx: Context,
  { everywhere }: Services['db'],
  change: (tx: AnyTransaction) => Promise<void>,
): Promise<void> {
  ctx.body = await everywhere.transaction(async (tx) => {
    await change(tx);
    return presentDetail(await read(tx, pathId(ctx, 'deployment_id')));
  });
}

async function read(rows: AnyRows, deploymentId: string): Promise<Review> {
  const review = await readReview(rows, deploymentId);
  if (!review) throw deploymentNotFound(deploymentId);
  return review;
}

function presentReview(row: ReviewRow): z.infer<typeof ReviewAnswer> {
  return {
    id: row.id,
    object: 'review',
    agent_id: row.agentId,
    agent: row.agent,
    name: row.agentName,
    publisher: row.publisher,
    version_id: row.versionId,
    version: row.versionLabel,
    version_number: row.versionNumber,
    ...statusOf(row),
    review_feedback: presentFeedback(row.reviewFeedback),
    created_at: row.createdAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
  };
}

function presentDetail({
  comments,
  audit,
  configuration,
  liveConfiguration,
  ...row
}: Review): z.infer<typeof ReviewDetail.schema> {
  return {
    ...presentReview(row),
    rollout: presentRollout(row),
    configuration,
    live_configuration: liveConfiguration,
    comments,
    audit,
  };
}
