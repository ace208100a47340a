import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { ReviewWorkflows } from '../activities/index.ts';
import { readSubmission } from '../db/agents/submission.ts';
import type { Database } from '../db/database.ts';
import {
  DECIDE_REVIEW_UPDATE,
  deploymentIdOf,
  reviewStartOf,
  REVIEW_WORKFLOW,
  type ReviewDecision,
  type ReviewDecisionResult,
} from '../workflows/contract.ts';

/** The workflows of reviews on a Temporal server. */
export function createReviewWorkflows(client: Client, pool: Database['pool']): ReviewWorkflows {
  return {
    start: async (deploymentId) => {
      try {
        const start = reviewStartOf(deploymentId, await readSubmission(pool, deploymentId));
        await client.workflow.start(REVIEW_WORKFLOW, start);
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
    listOpen: async () => {
      const query = `WorkflowType = '${REVIEW_WORKFLOW}' AND ExecutionStatus = 'Running'`;
      const open: { deploymentId: string; workflowId: string }[] = [];
      for await (const { workflowId } of client.workflow.list({ query })) {
        open.push({ workflowId, deploymentId: deploymentIdOf(workflowId) });
      }
      return open;
    },
    tellDecided: async (workflowId) => {
      // A decided deployment does not move again: the workflow reads its state and ends.
      const by = { operatorKeyId: 'system', requestId: 'sweep' };
      const args: [ReviewDecision] = [{ move: 'withdraw', feedback: [], by }];
      const handle = client.workflow.getHandle(workflowId);
      await handle.executeUpdate<ReviewDecisionResult, [ReviewDecision]>(DECIDE_REVIEW_UPDATE, { args });
    },
  };
}
