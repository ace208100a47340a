import { Context, log } from '@temporalio/activity';
import { listDecidedReviews, listReviewsToStart } from '../../db/agents/submission.ts';
import type { ReviewDependencies } from './dependencies.ts';

/** What one sweep brought together: reviews that waited without a workflow, and workflows of reviews that were decided. */
export type ReviewSweepResult = { started: number; ended: number };

/**
 * Keeps reviews and their workflows together: starts those that wait for a decision and have none, because it could not be started or was
 * ended from outside; ends those whose deployment was decided without them. It may run again, or twice at once.
 */
export function createSweepReviews({ db: { pool }, reviews }: ReviewDependencies) {
  return async (): Promise<ReviewSweepResult> => {
    const open = await reviews.listOpen();
    const openIds = open.map(({ deploymentId }) => deploymentId);
    const decided = new Set(await listDecidedReviews(pool, openIds));
    const told = open.filter(({ deploymentId }) => decided.has(deploymentId)).map(({ workflowId }) => workflowId);
    return {
      started: await each(await listReviewsToStart(pool, openIds), reviews.start),
      ended: await each(told, reviews.tellDecided),
    };
  };
}

// One must not keep the others waiting; the next sweep tries it again.
async function each(ids: string[], work: (id: string) => Promise<void>): Promise<number> {
  let done = 0;
  for (const id of ids) {
    Context.current().heartbeat(id);
    try {
      await work(id);
      done += 1;
    } catch (error) {
      log.warn('a review could not be swept', { id, error });
    }
  }
  return done;
}
