import type { ReviewDecision } from '../../contracts/review.ts';
import { AGENT_TOOL_NAMES } from '../../tools/tool.ts';
import { addComment, findDeployment, readComments, type DeploymentRow } from '../../db/agents/deployments.ts';
import { rollBack } from '../../db/publishing/moveDeployment.ts';
import { moveRollout, type RolloutMove } from '../../db/publishing/rollout/rollout.ts';
import { submitDraft } from '../../db/publishing/submit.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { runOnce } from '../guard/idempotency.ts';
import { askedReview } from '../guard/testMode.ts';
import { pathId } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import {
  agentNotFound,
  deploymentState,
  draftRevisionMismatch,
  incompleteConfiguration,
  noticePeriod,
  submissionInReview,
  suspendedAgent,
  tooManySubmissions,
  versionDearer,
  versionNotApproved,
  versionNotFound,
  versionSuspended,
} from './errors.ts';
import { deploymentNotFound } from '../temporal/reviewErrors.ts';
import { draftRevisionOf, presentDeployment } from './present.ts';
import { presentPage } from '../http/documentedRoute.ts';
import type { z } from 'zod';
import type { DeploymentComment } from './publisherAnswers.ts';
import { takePlan, type RolloutPlan } from './rolloutPlan.ts';
import type { CommentBody, RollbackBody } from './publisherSchema.ts';

/**
 * `POST /v1/publisher/agents/{agent_id}/submit-public`: freezes the draft that `If-Match` names into a new version and submits it for
 * review. The public version stays public until the new one is approved. 428, 412, 422, and 409 `submission_in_review`.
 */
export function submitPublic(services: Services): Handler {
  return (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const revision = draftRevisionOf(ctx);
    const testReview = askedReview(ctx);
    const work = async () => {
      const made = await submit(services, ctx, { agentId, revision, visibility: 'public', testReview });
      // Answers with the submission as created, because the review may change it a moment later. A Temporal outage does not delay the
      // answer.
      ctx.body = presentDeployment(made);
      void services.reviews.start(ctx.state.resourceId);
    };
    return runOnce(ctx, services.db, { prefix: 'dep', request: { revision, ...(testReview && { testReview }) }, work });
  };
}

/** `POST /v1/publisher/agents/{agent_id}/deploy-private`: freezes the draft and activates it in the publisher's own workspace at once. */
export function deployPrivate(services: Services): Handler {
  return (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const revision = ctx.get('if-match') === '' ? null : draftRevisionOf(ctx);
    const work = async () => {
      ctx.body = presentDeployment(await submit(services, ctx, { agentId, revision, visibility: 'private' }));
    };
    return runOnce(ctx, services.db, { prefix: 'dep', request: { revision }, work });
  };
}

/** `POST /v1/publisher/agents/{agent_id}/rollback`: makes a previously public version public again. */
export function rollbackAgent(services: Services): Handler<z.output<typeof RollbackBody>> {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const { version_id: versionId } = ctx.state.input;
    const { resourceId: deploymentId } = ctx.state;
    const { workspaceId } = ctx.state.key;
    const { costsOf } = services.agentModels;
    const order = { agentId, versionId, deploymentId, by: actorOf(ctx), costsOf };
    const rolledBack = await rollBack(services.db.write(workspaceId), order);
    if (rolledBack.outcome === 'not_found') throw agentNotFound(agentId);
    if (rolledBack.outcome === 'version_not_found') throw versionNotFound(versionId, 'version_id');
    if (rolledBack.outcome === 'version_suspended') throw versionSuspended(versionId);
    if (rolledBack.outcome === 'agent_suspended') throw suspendedAgent();
    if (rolledBack.outcome === 'not_approved') throw versionNotApproved(versionId);
    if (rolledBack.outcome === 'version_dearer') throw versionDearer();
    ctx.body = presentDeployment(rolledBack.deployment);
  };
}

/**
 * `POST /v1/publisher/deployments/{deployment_id}/promote` and `…/roll-back`: ends a rollout by hand. 409 `deployment_state` when none is
 * open, and `notice_period` for a version with a higher price before its notice period ends.
 */
export function endRollout(services: Services, move: 'promote' | 'roll_back'): Handler {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    const moved = await moveRollout(services.db.write(ctx.state.key.workspaceId), {
      deploymentId,
      move,
      by: actorOf(ctx),
    });
    refuseRollout(moved, deploymentId);
    await answer(services, ctx, deploymentId);
  };
}

/** Throws the reason why a rollout was not ended. */
export function refuseRollout(moved: RolloutMove, deploymentId: string): void {
  switch (moved.outcome) {
    case 'moved':
      return;
    case 'not_found':
      throw deploymentNotFound(deploymentId);
    case 'not_open':
      throw deploymentState(`${moved.status} and not rolled out`);
    case 'in_notice':
      throw noticePeriod();
    default:
      moved satisfies never;
  }
}

/** `POST /v1/publisher/deployments/{deployment_id}/rollout`: plans the pending steps of its rollout. */
export function planOwnRollout(services: Services): Handler<RolloutPlan> {
  return async (ctx) => {
    await takePlan(ctx, services.db.write(ctx.state.key.workspaceId));
    await answer(services, ctx, pathId(ctx, 'deployment_id'));
  };
}

/** `GET /v1/publisher/deployments/{deployment_id}`: its status, and the feedback of its review. */
export function retrieveDeployment(services: Services): Handler {
  return (ctx) => answer(services, ctx, pathId(ctx, 'deployment_id'));
}

/** `POST /v1/publisher/deployments/{deployment_id}/withdraw`: withdraws an undecided submission. */
export function withdrawDeployment(services: Services): Handler {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    await checkOwner(services)(ctx, deploymentId);
    await decideOwn(services, ctx, { deploymentId, move: 'withdraw', feedback: [] });
  };
}

/** Ends a review of the caller's workspace, and answers with its deployment. Throws 409 `review_already_decided`. */
export async function decideOwn(
  services: Services,
  ctx: Context,
  decision: { deploymentId: string } & Pick<ReviewDecision, 'move' | 'feedback'>,
): Promise<void> {
  const by = { publisher: ctx.state.key.workspaceId, requestId: ctx.state.requestId };
  await services.reviews.decide({ ...decision, by });
  await answer(services, ctx, decision.deploymentId);
}

/** `POST /v1/publisher/deployments/{deployment_id}/comments`: adds a comment for the reviewers. */
export function commentOnDeployment({ db }: Services): Handler<z.output<typeof CommentBody>> {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    const { message } = ctx.state.input;
    const { workspaceId } = ctx.state.key;
    const { resourceId: id } = ctx.state;
    const added = await addComment(db.write(workspaceId), { id, deploymentId, by: 'publisher', message });
    if (!added) throw deploymentNotFound(deploymentId);
    ctx.status = 201;
    ctx.body = presentComment(added);
  };
}

/** `GET /v1/publisher/deployments/{deployment_id}/comments`: the comments on a submission, oldest first. */
export function listComments(services: Services): Handler {
  return async (ctx) => {
    const deploymentId = pathId(ctx, 'deployment_id');
    await checkOwner(services)(ctx, deploymentId);
    const rows = await readComments(services.db.read(ctx.state.key.workspaceId), deploymentId);
    ctx.body = presentPage(rows.map(presentComment), null);
  };
}

type Submission = Pick<Parameters<typeof submitDraft>[1], 'agentId' | 'revision' | 'visibility' | 'testReview'>;

async function submit(
  { db, agentModels, config }: Services,
  ctx: Context,
  submission: Submission,
): Promise<DeploymentRow> {
  const { workspaceId } = ctx.state.key;
  const made = await submitDraft(db.write(workspaceId), {
    ...submission,
    tools: AGENT_TOOL_NAMES,
    models: agentModels,
    toolLoopback: config.webhookLoopback,
    submissionsPerDayMax: config.submissionsPerDayMax,
    deploymentId: ctx.state.resourceId,
  });
  if (made.outcome === 'not_found') throw agentNotFound(submission.agentId);
  if (made.outcome === 'stale') throw draftRevisionMismatch(made.revision);
  if (made.outcome === 'in_review') throw submissionInReview();
  if (made.outcome === 'too_many') throw tooManySubmissions(config.submissionsPerDayMax);
  if (made.outcome === 'incomplete') throw incompleteConfiguration(made.findings);
  return made.deployment;
}

/** Throws 404 `deployment_not_found` for a deployment of another workspace. */
export const checkOwner =
  ({ db }: Services) =>
  async (ctx: Context, deploymentId: string): Promise<void> => {
    const row = await findDeployment(db.read(ctx.state.key.workspaceId), deploymentId);
    if (!row) throw deploymentNotFound(deploymentId);
  };

async function answer({ db }: Services, ctx: Context, deploymentId: string): Promise<void> {
  const row = await findDeployment(db.read(ctx.state.key.workspaceId), deploymentId);
  if (!row) throw deploymentNotFound(deploymentId);
  ctx.body = presentDeployment(row);
}

type CommentRow = Awaited<ReturnType<typeof readComments>>[number];

const presentComment = ({
  id,
  deploymentId,
  author,
  message,
  createdAt,
}: CommentRow): z.infer<typeof DeploymentComment> => ({
  id,
  object: 'deployment.comment',
  deployment_id: deploymentId,
  author,
  message,
  created_at: createdAt.toISOString(),
});
