import type { Logger } from 'pino';
import { readSubmission } from '../../db/agents/submission.ts';
import type { Database } from '../../db/database.ts';
import {
  decideReviewUpdate,
  reviewStartOf,
  reviewWorkflow,
  type ReviewDecision,
  type ReviewDecisionResult,
  type ReviewInput,
  type ReviewResult,
} from '../../workflows/contract.ts';
import { deploymentNotFound, reviewAlreadyDecided, reviewUnavailable } from '../publisher/errors.ts';
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
  temporal: Pick<Temporal, 'call'>;
  pool: Database['pool'];
  log: Logger;
}): Reviews {
  async function update(deploymentId: string, decision: ReviewDecision): Promise<ReviewDecisionResult> {
    const { workflowId, ...options } = await startOf(pool, deploymentId);
    // As the client is: its library is loaded by whoever needs it.
    const { WithStartWorkflowOperation } = await import('@temporalio/client');
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
      const { status, moveRequestId } = await readSubmission(pool, deploymentId);
      // It counted, and only its answer came too late.
      if (moveRequestId === decision.by.requestId) return { outcome: 'moved', status };
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

async function startOf(pool: Database['pool'], deploymentId: string) {
  return reviewStartOf(deploymentId, await readSubmission(pool, deploymentId));
}
