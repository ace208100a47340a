import { Context, log } from '@temporalio/activity';
import { listUnstartedReviews } from '../../db/agents/submission.ts';
import type { ReviewDependencies } from './dependencies.ts';

/** Starts the workflows of reviews that could not be started when their version was submitted. It may run again, or twice at once. */
export function createSweepReviews({ db: { pool }, startReview }: ReviewDependencies) {
  return async (): Promise<{ started: number }> => {
    let started = 0;
    for (const deploymentId of await listUnstartedReviews(pool)) {
      Context.current().heartbeat(deploymentId);
      try {
        await startReview(deploymentId);
        started += 1;
      } catch (error) {
        // One must not keep the others waiting; the next sweep tries it again.
        log.warn('a review could not be started', { deploymentId, error });
      }
    }
    return { started };
  };
}
