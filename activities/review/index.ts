import { moveDeployment, type MoveOrder, type MoveOutcome } from '../../db/agents/moveDeployment.ts';
import { recordReminder } from '../../db/agents/submission.ts';
import { createCheckSubmission } from './checkSubmission.ts';
import type { ReviewDependencies } from './dependencies.ts';
import { createSweepReviews } from './sweepReviews.ts';
import { createTrials } from './trials.ts';

/** The activities of reviews, by the names that their workflow calls them by. Each may be repeated. */
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
