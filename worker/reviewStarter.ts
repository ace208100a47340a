import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { reviewWorkflow, reviewWorkflowId, taskQueue, type ReviewInput } from '../workflows/contract.ts';

/** Starts workflows of reviews, each of them once however often it is asked to. */
export function createReviewStarter(client: Client): (deploymentId: string) => Promise<void> {
  return async (deploymentId) => {
    const input: ReviewInput = { deploymentId };
    const workflowId = reviewWorkflowId(deploymentId);
    try {
      await client.workflow.start(reviewWorkflow, { workflowId, taskQueue, args: [input] });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
}
