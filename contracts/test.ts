import type { ReviewDecision } from './review.ts';
import { ONE_AT_A_TIME, workspaceAttribute } from './start.ts';

/** The workspace whose clock is moved. */
export type TestClockInput = { workspaceId: string };

/** The next time of a clock, in ISO 8601, with the schedules that fire then. */
export type ClockStep = { at: string; aheadSeconds: number; firings: string[] };

/** The workflow that moves the clock of a test workspace. */
export const TEST_CLOCK_WORKFLOW = 'testClock';

/** Options that start it, one at a time for each workspace. */
export const testClockStartOf = (workspaceId: string) => ({
  ...ONE_AT_A_TIME,
  workflowId: `test-clock/${workspaceId}`,
  args: [{ workspaceId }] as [TestClockInput],
  staticSummary: `The test clock of ${workspaceId}`,
  typedSearchAttributes: [workspaceAttribute(workspaceId)],
});

/** How the review of a submission ends in a test workspace, where no operator decides. */
export const TEST_OUTCOMES = ['approve', 'reject', 'changes'] as const;
export type TestOutcome = (typeof TEST_OUTCOMES)[number];
/** The review outcomes that a submission of a test workspace can request. `wait`: it stays in review until an outcome is chosen. */
export const TEST_REVIEWS = [...TEST_OUTCOMES, 'wait'] as const;
export type TestReview = (typeof TEST_REVIEWS)[number];

/** The decision that replaces an operator's. */
export const testDecisionOf = (outcome: TestOutcome): Pick<ReviewDecision, 'move' | 'feedback'> =>
  outcome === 'approve'
    ? { move: 'approve', feedback: [] }
    : { move: outcome === 'changes' ? 'request_changes' : 'reject', feedback: [TEST_FEEDBACK] };

const TEST_FEEDBACK = {
  source: 'operator',
  severity: 'blocking',
  code: 'test_review',
  path: '/instructions',
  message: 'The submission asked for this outcome.',
} as const;
