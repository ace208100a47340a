import { CancelledFailure } from '@temporalio/activity';
import type { Pool } from 'pg';
import { endStep, type BegunStep } from '../../db/runs/steps.ts';
import { failureOf } from './failures.ts';
import type { Watch } from './watchActivity.ts';

/**
 * Tells callers that an attempt of a step failed, and returns what the activity throws. What it consumed stays metered: should the run
 * fail of it, that is what the platform bears. When somebody else carries the step on, nothing is told.
 */
export async function failStep(pool: Pool, begun: BegunStep, error: unknown, watch: Watch): Promise<Error> {
  if (watch.stopReason() === 'lost') return new CancelledFailure('This worker no longer carries the step.');
  const failure = failureOf(error);
  // Failing to tell of it changes nothing: the next attempt begins the step anew.
  await endStep(pool, begun, { state: 'failed', result: null, quantities: {} }).catch(() => {});
  return failure;
}
