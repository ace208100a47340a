import { WithStartWorkflowOperation, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import type { Logger } from 'pino';
import { readSubmission } from '../db/agents/submission.ts';
import type { Database } from '../db/database.ts';
import {
  decideReviewUpdate,
  reviewWorkflow,
  reviewWorkflowId,
  runSearchAttributes,
  taskQueue,
  type ReviewDecision,
  type ReviewDecisionResult,
  type ReviewInput,
  type ReviewResult,
} from '../workflows/contract.ts';
import { deploymentNotFound, reviewAlreadyDecided, reviewUnavailable } from './publisher/errors.ts';
import type { Temporal } from './temporal.ts';

type ReviewWorkflow = (input: ReviewInput) => Promise<ReviewResult>;

/** Reviews, as the API starts and decides them. */
export interface Reviews {
  /** Starts a review. What can't be started now is started by the sweep. */
  start(deploymentId: string): Promise<void>;
  /** Decides it, once. Throws 409 `review_already_decided`, and 503 while no worker takes the decision. */
  decide(order: { deploymentId: string } & ReviewDecision): Promise<void>;
}

/** Reaches the workflows of reviews: one for each submission, under its id. */
export function createReviews({
  temporal,
  pool,
  log,
}: {
  temporal: Temporal;
  pool: Database['pool'];
  log: Logger;
}): Reviews {
  async function update(deploymentId: string, decision: ReviewDecision): Promise<ReviewDecisionResult> {
    const { workflowId, ...options } = await startOf(pool, deploymentId);
    const startWorkflowOperation = new WithStartWorkflowOperation(reviewWorkflow, { workflowId, ...options });
    try {
      return await temporal.call((client) =>
        client.workflow.executeUpdateWithStart<ReviewWorkflow, ReviewDecisionResult, [ReviewDecision]>(
          decideReviewUpdate,
          {
            args: [decision],
            startWorkflowOperation,
          },
        ),
      );
    } catch (cause) {
      const { status } = await readSubmission(pool, deploymentId);
      if (status !== 'in_review') throw reviewAlreadyDecided(status);
      throw reviewUnavailable(cause);
    }
  }

  return {
    start: async (deploymentId) => {
      try {
        const options = await startOf(pool, deploymentId);
        await temporal.call((client) => client.workflow.start(reviewWorkflow, options));
      } catch (err) {
        log.warn({ err, deploymentId }, 'the review could not be started');
      }
    },
    decide: async ({ deploymentId, ...decision }) => {
      const result = await update(deploymentId, decision);
      if (result.outcome === 'not_found') throw deploymentNotFound(deploymentId);
      if (result.outcome === 'wrong_state') throw reviewAlreadyDecided(result.status);
    },
  };
}

const attribute = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

async function startOf(pool: Database['pool'], deploymentId: string) {
  const { agent, version, publisherWorkspaceId, status } = await readSubmission(pool, deploymentId);
  const input: ReviewInput = { deploymentId };
  return {
    workflowId: reviewWorkflowId(deploymentId),
    taskQueue,
    args: [input] as [ReviewInput],
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary: `Review of ${agent} (${version})`,
    staticDetails: `Automatic checks, then a decision: approve, request changes or reject ${deploymentId} over /console/v1.`,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: attribute(runSearchAttributes.workspace), value: publisherWorkspaceId },
      { key: attribute(runSearchAttributes.agent), value: agent },
      { key: attribute(runSearchAttributes.version), value: version },
      { key: attribute(runSearchAttributes.status), value: status },
    ]),
  };
}
