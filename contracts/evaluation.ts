import { linkTo, ONCE, shareOf, workspaceAttribute } from './start.ts';

/** The workflow of a run of an evaluation set. A cancelled workflow cancels it. */
export const EVALUATION_WORKFLOW = 'evaluation';
export const evaluationWorkflowId = (evaluationRunId: string): string => `evaluation/${evaluationRunId}`;

/** Cases and checks are read by the run's id, so that their content stays out of the history. */
export type EvaluationInput = { evaluationRunId: string };

/** How it ended, and what it cost. */
export type EvaluationEnded = { status: string; passed: number; failed: number; errored: number; costNanos: string };

/** Options that start the workflow, always the same. */
export function evaluationStartOf(
  { id, workspaceId, agentId }: { id: string; workspaceId: string; agentId: string },
  consoleUrl?: string,
) {
  return {
    ...ONCE,
    workflowId: evaluationWorkflowId(id),
    args: [{ evaluationRunId: id }] as [EvaluationInput],
    staticSummary: `Evaluation ${id}`,
    staticDetails: `Runs each case with a version of ${agentId}, and checks the results.${linkTo(consoleUrl, `/publish/${agentId}?tab=evaluations&evaluation=${id}`)}`,
    typedSearchAttributes: [workspaceAttribute(workspaceId)],
    priority: shareOf(workspaceId),
  };
}
