import { setTimeout as sleep } from 'node:timers/promises';
import { APIConnectionError, ServerError, type components, type Ledgerline } from '../../src/index.ts';
import type { Deployment } from './ownAgents.ts';

type Trial = components['schemas']['ReviewTrialList']['data'][number];
type Comment = components['schemas']['DeploymentComment'];

/** A review as it is now. */
export interface Review {
  deployment: Deployment;
  trials: Trial[];
  comments: Comment[];
}

const POLL_FIRST_MS = 500;
const POLL_MAX_MS = 10_000;
/** How long an installation may be away, as while it is updated. */
const AWAY_MS_MAX = 600_000;

export const isOpen = ({ status }: Deployment): boolean => status === 'in_review';

/**
 * Looks at a submission until its review has ended, with growing waits; `seen` gets each look, `lost` the error of one that failed. Throws
 * the reason of `signal`.
 */
export async function awaitReview(
  client: Ledgerline,
  deploymentId: string,
  { signal, seen, lost }: { signal: AbortSignal; seen: (review: Review) => void; lost: (error: Error) => void },
): Promise<Review> {
  let awayMs = 0;
  for (let waitMs = POLL_FIRST_MS; ; waitMs = Math.min(waitMs * 1.5, POLL_MAX_MS)) {
    try {
      const review = await readReview(client, deploymentId, signal);
      awayMs = 0;
      seen(review);
      if (!isOpen(review.deployment)) return review;
    } catch (error) {
      const mayComeBack = error instanceof APIConnectionError || error instanceof ServerError;
      if (signal.aborted || !mayComeBack || awayMs > AWAY_MS_MAX) throw error;
      lost(error);
      awayMs += waitMs;
    }
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

export async function readReview({ api }: Ledgerline, deploymentId: string, signal?: AbortSignal): Promise<Review> {
  const params = { path: { deployment_id: deploymentId } };
  const init = { params, ...(signal && { signal }) };
  const [deployment, trials, comments] = await Promise.all([
    api.GET('/v1/publisher/deployments/{deployment_id}', init),
    api.GET('/v1/publisher/deployments/{deployment_id}/trials', init),
    api.GET('/v1/publisher/deployments/{deployment_id}/comments', init),
  ]);
  return { deployment: deployment.data, trials: trials.data.data, comments: comments.data.data };
}

/** Says something to the reviewers of a submission. */
export async function comment({ api }: Ledgerline, deploymentId: string, message: string): Promise<void> {
  const params = { path: { deployment_id: deploymentId } };
  await api.POST('/v1/publisher/deployments/{deployment_id}/comments', { params, body: { message } });
}
