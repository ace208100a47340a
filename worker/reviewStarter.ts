import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { readSubmission } from '../db/agents/submission.ts';
import type { Database } from '../db/database.ts';
import { reviewStartOf, reviewWorkflow } from '../workflows/contract.ts';

/** Starts workflows of reviews, each of them once however often it is asked to. */
export function createReviewStarter(client: Client, pool: Database['pool']): (deploymentId: string) => Promise<void> {
  return async (deploymentId) => {
    try {
      await client.workflow.start(
        reviewWorkflow,
        reviewStartOf(deploymentId, await readSubmission(pool, deploymentId)),
      );
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
