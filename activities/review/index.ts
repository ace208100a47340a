import { moveDeployment, type MoveOrder, type MoveOutcome } from '../../db/agents/moveDeployment.ts';
import { recordReminder } from '../../db/agents/submission.ts';
import { createCheckSubmission } from './checkSubmission.ts';
import type { ReviewDependencies } from './dependencies.ts';
import { createSweepReviews } from './sweepReviews.ts';
import { createTrials } from './trials.ts';

/** The activities of reviews, by their registered names. Each is idempotent. */
export function createReviewActivities(dependencies: ReviewDependencies) {
  const { pool } = dependencies.db;
  return {
    checkSubmission: createCheckSubmission(dependencies),
    ...createTrials(dependencies),
    sweepReviews: createSweepReviews(dependencies),
    moveReview: (order: MoveOrder): Promise<MoveOutcome> => moveDeployment(pool, order),
    remindReviewers: (reminder: { deploymentId: string; level: 'reminder' | 'escalation' }): Promise<void> =>
      recordReminder(pool, reminder),
  };
}
