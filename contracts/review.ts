import { keyword, linkTo, ONCE, RUN_SEARCH_ATTRIBUTES } from './start.ts';

/** The workflow of one review. */
export const REVIEW_WORKFLOW = 'review';
export type ReviewInput = {
  deploymentId: string;
  /** Published without a review, like the platform's own agents: its examples are tried, and nothing is decided. */
  isPublished?: boolean;
  /** Approved: only its rollout continues. */
  isRollingOut?: boolean;
};
/** The workflow id of a deployment's review: one for each deployment. */
export const reviewWorkflowId = (deploymentId: string): string => `review/${deploymentId}`;
/** The id of the deployment that a review's workflow belongs to. */
export const deploymentIdOf = (workflowId: string): string => workflowId.slice('review/'.length);

/** Decides or withdraws a review. Returns the deployment's state; an already decided review is unchanged. */
export const DECIDE_REVIEW_UPDATE = 'decideReview';
export type ReviewDecision = {
  move: 'approve' | 'request_changes' | 'reject' | 'withdraw';
  /** Of an approval: the first share of new sessions that get the version. */
  rolloutPercentage?: number;
  /** Its steps instead. */
  rolloutSteps?: { percentage: number; runsMin: number; hoursMin: number }[];
  feedback: {
    source: 'operator';
    severity: 'blocking' | 'advisory';
    code: string;
    path: string;
    message: string;
  }[];
  by: { publisher: string; requestId: string } | { operatorKeyId: string; operatorUserId?: string; requestId: string };
};
export type ReviewDecisionResult =
  | { outcome: 'moved' | 'wrong_state'; status: string }
  | { outcome: 'not_found' }
  | { outcome: 'short'; neededNanos: string };

/** The result of a review, and the cost of its automatic checks. */
export type ReviewResult = { status: string; findings: number; costUsd: number };

/** Options that start a review's workflow, always the same. */
export function reviewStartOf(
  deploymentId: string,
  submission: {
    agent: string;
    version: string;
    publisherWorkspaceId: string;
    status: string;
    rolloutState: string | null;
  },
  consoleUrl: string | undefined,
) {
  const { agent, version, publisherWorkspaceId, status, rolloutState } = submission;
  const isRollingOut = status === 'active' && (rolloutState === 'scheduled' || rolloutState === 'rolling');
  const isPublished = status === 'active' && !isRollingOut;
  const input: ReviewInput = {
    deploymentId,
    ...(isPublished && { isPublished }),
    ...(isRollingOut && { isRollingOut }),
  };
  return {
    ...ONCE,
    workflowId: reviewWorkflowId(deploymentId),
    args: [input] as [ReviewInput],
    staticSummary: `Review of ${agent} (${version})`,
    staticDetails: `Automatic checks, then a decision: approve, request changes or reject ${deploymentId} over /console/v1.${linkTo(consoleUrl, `/operate/reviews/${deploymentId}`)}`,
    typedSearchAttributes: [
      keyword(RUN_SEARCH_ATTRIBUTES.workspace, publisherWorkspaceId),
      keyword(RUN_SEARCH_ATTRIBUTES.agent, agent),
      keyword(RUN_SEARCH_ATTRIBUTES.version, version),
      keyword(RUN_SEARCH_ATTRIBUTES.status, status),
    ],
  };
}
