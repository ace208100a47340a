import type { ReviewDecision } from './contract.ts';

/** How the review of a submission ends in a test workspace, where no operator decides. */
export const TEST_OUTCOMES = ['approve', 'reject', 'changes'] as const;
export type TestOutcome = (typeof TEST_OUTCOMES)[number];
/** What a submission of a test workspace asks of its review. `wait`: it stays in review until an outcome is chosen. */
export const TEST_REVIEWS = [...TEST_OUTCOMES, 'wait'] as const;
export type TestReview = (typeof TEST_REVIEWS)[number];

/** The decision that takes the place of an operator's. */
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
