import type { Logger } from 'pino';
import type { CostsOf } from '../../db/publishing/rollout/rollout.ts';
import type { Database } from '../../db/database.ts';
import {
  DECIDE_REVIEW_UPDATE,
  reviewStartOf,
  REVIEW_WORKFLOW,
  type ReviewDecision,
  type ReviewDecisionResult,
  type ReviewInput,
  type ReviewResult,
} from '../../contracts/review.ts';
import { usdTextOf } from '../../db/money.ts';
import { deploymentNotFound, reviewAlreadyDecided, trialsNotCovered } from './reviewErrors.ts';
import type { Temporal } from './temporal.ts';

type ReviewWorkflow = (input: ReviewInput) => Promise<ReviewResult>;

/** Starts and decides reviews from the API. */
export interface Reviews {
  /** Starts a review. When that fails, the sweep starts it later. */
  start(deploymentId: string): Promise<void>;
  /** Decides a review once, even while no worker runs. Throws 409 `review_already_decided`. */
  decide(order: { deploymentId: string } & ReviewDecision): Promise<void>;
}

/** Reaches the workflows of reviews: one for each submission, under its id. */
export function createReviews({
  temporal,
  everywhere,
  costsOf,
  log,
  consoleUrl,
}: {
  temporal: Pick<Temporal, 'call'>;
  everywhere: Database['everywhere'];
  costsOf?: CostsOf;
  log: Logger;
  consoleUrl: string;
}): Reviews {
  async function update(deploymentId: string, decision: ReviewDecision): Promise<ReviewDecisionResult> {
    const { workflowId, ...options } = await startOf(everywhere, deploymentId, consoleUrl);
    // Loaded at first use, like the client.
    const { WithStartWorkflowOperation } = await import('@temporalio/client');
    const startWorkflowOperation = new WithStartWorkflowOperation(REVIEW_WORKFLOW, { workflowId, ...options });
    try {
      return await temporal.call((client) =>
        client.workflow.executeUpdateWithStart<ReviewWorkflow, ReviewDecisionResult, [ReviewDecision]>(
          DECIDE_REVIEW_UPDATE,
          {
            args: [decision],
            startWorkflowOperation,
          },
        ),
      );
    } catch (err) {
      // A review that is over has no workflow that answers.
      const isOver = (err as Error).name === 'WorkflowExecutionAlreadyStartedError';
      if (!isOver) log.warn({ err, deploymentId }, 'the review does not answer: decided without it');
      // The row decides: if an earlier attempt stored this decision and only its answer timed out, it counts as the same decision. The
      // sweep notifies the workflow.
      const { moveDeployment } = await import('../../db/publishing/moveDeployment.ts');
      return moveDeployment(everywhere, { deploymentId, ...decision }, costsOf);
    }
  }

  return {
    start: async (deploymentId) => {
      try {
        const options = await startOf(everywhere, deploymentId, consoleUrl);
        await temporal.call((client) => client.workflow.start(REVIEW_WORKFLOW, options));
      } catch (err) {
        log.warn({ err, deploymentId }, 'the review could not be started');
      }
    },
    decide: async ({ deploymentId, ...decision }) => {
      const result = await update(deploymentId, decision);
      if (result.outcome === 'not_found') throw deploymentNotFound(deploymentId);
      if (result.outcome === 'short') throw trialsNotCovered(usdTextOf(BigInt(result.neededNanos)));
      if (result.outcome === 'wrong_state') throw reviewAlreadyDecided(result.status);
    },
  };
}

// What reviews alone need is loaded with the first one: 37 files, which no call of a model needs.
async function startOf(everywhere: Database['everywhere'], deploymentId: string, consoleUrl: string) {
  const { readSubmission } = await import('../../db/publishing/review/submission.ts');
  return reviewStartOf(deploymentId, await readSubmission(everywhere, deploymentId), consoleUrl);
}
