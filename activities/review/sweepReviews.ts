import { Context, log } from '@temporalio/activity';
import {
  listDecidedReviews,
  listReviewsToStart,
  listRolloutsToStart,
  listUntried,
} from '../../db/publishing/review/submission.ts';
import { billWithdrawnTrials } from '../../db/publishing/review/trialBills.ts';
import type { ReviewDependencies } from '../dependencies.ts';

/** The repairs of one sweep: waiting reviews without a workflow, and workflows of decided reviews. */
export type ReviewSweepResult = { started: number; ended: number };

/**
 * Reconciles reviews and their workflows: starts the missing workflow of a waiting review or rollout, and ends a workflow whose deployment
 * was decided elsewhere. Bills trials that ended after a withdrawal. Idempotent and safe to run concurrently.
 */
export function createSweepReviews({ db: { everywhere }, reviews }: ReviewDependencies) {
  return async (): Promise<ReviewSweepResult> => {
    await billWithdrawnTrials(everywhere);
    const open = await reviews.listOpen();
    const openIds = open.map(({ deploymentId }) => deploymentId);
    const waiting = await listReviewsToStart(everywhere, openIds);
    const untried = (await listUntried(everywhere)).filter((id) => !openIds.includes(id));
    const rollouts = await listRolloutsToStart(everywhere, openIds);
    const decided = new Set(await listDecidedReviews(everywhere, openIds));
    const decidedIds = open.filter(({ deploymentId }) => decided.has(deploymentId)).map(({ workflowId }) => workflowId);
    return {
      started: await each([...waiting, ...untried, ...rollouts], reviews.start),
      ended: await each(decidedIds, reviews.notifyDecided),
    };
  };
}

// One failure must not block the others; the next sweep retries it.
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
