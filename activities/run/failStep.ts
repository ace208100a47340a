import { ApplicationFailure, CancelledFailure, log } from '@temporalio/activity';
import type { Pool } from 'pg';
import { finishStep, retriesOf, StepLost, type BegunStep } from '../../db/runs/steps.ts';
import { EmptyAnswer, failureOf, faultOf, type StepFault } from './failures.ts';
import type { Watch } from './watchActivity.ts';

const FIRST_DELAY_MS = 500;

/** An attempt of a step that failed. */
export interface FailedAttempt {
  begun: BegunStep;
  watch: Watch;
  error: unknown;
  /** Whether a part of the model's answer had arrived. */
  hasSpoken: boolean;
}

/**
 * Records that an attempt of a step failed, and whether and when it is retried; returns what the activity throws. What it consumed stays
 * metered: if the run fails because of it, the platform bears that cost. Records nothing when another worker has taken over the step.
 */
export async function failStep(
  { pool, retryDelayMaxMs }: { pool: Pool; retryDelayMaxMs: number },
  { begun, watch, error, hasSpoken }: FailedAttempt,
): Promise<Error> {
  if (watch.stopReason() === 'lost') return new CancelledFailure('This worker no longer carries the step.');
  if (error instanceof StepLost || error instanceof CancelledFailure) return failureOf(error);
  log.warn('a step failed', { error });
  const fault = faultOf(error, { hasSpoken });
  // Without a database nothing can be recorded; the next attempt begins the step again.
  const retries = await retriesOf(pool, begun).catch(() => ({}));
  const retryAfterMs = delayOf(fault, { retries, leftMs: watch.leftMs(), retryDelayMaxMs });
  const quantities = error instanceof EmptyAnswer ? error.quantities : {};
  const failure = { reason: fault.code };
  await finishStep(pool, begun, { state: 'failed', failure, retryAfterMs, result: null, quantities }).catch(() => {});
  const { message, type } = fault;
  const nonRetryable = retryAfterMs === undefined;
  return ApplicationFailure.create({ message, type, nonRetryable, nextRetryDelay: retryAfterMs });
}

/** Delay before the next attempt: doubled each time, up to a limit. Undefined when there is none. */
function delayOf(
  { code, triesMax, retryAfterMs = 0 }: StepFault,
  { retries, leftMs, retryDelayMaxMs }: { retries: Record<string, number>; leftMs: number; retryDelayMaxMs: number },
): number | undefined {
  if ((retries[code] ?? 0) + 1 >= triesMax) return undefined;
  const putOff = Object.values(retries).reduce((sum, count) => sum + count, 0);
  // Jitter, so that runs that failed together do not retry together.
  const growingMs = Math.round(FIRST_DELAY_MS * 2 ** Math.min(putOff, 30) * (0.75 + Math.random() / 4));
  const delayMs = Math.min(retryDelayMaxMs, Math.max(retryAfterMs, growingMs));
  return delayMs < leftMs ? delayMs : undefined;
}
