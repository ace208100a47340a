import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo, ApplicationFailure, CancelledFailure, log } from '@temporalio/activity';
import type { Pool } from 'pg';
import { PluginNeedsCaller, PluginUnusable } from '../../db/plugins/plugins.ts';
import { ObjectStoreFailed } from '../../db/objects/objectStore.ts';
import { isDatabaseBusy, isPassing } from '../../db/postgres/databaseErrors.ts';
import type { ThousandthsByMeter } from '../../db/runs/cost/runCost.ts';
import type { BegunStep } from '../../db/runs/stepFacts.ts';
import { StepLost, finishStep, retriesOf } from '../../db/runs/steps/steps.ts';
import { ProviderError } from '../../providers/provider.ts';
import { PluginUnavailable } from '../../tools/plugin.ts';
import { LeaseLost, retryWhileDatabaseDown, type Watch } from './watchActivity.ts';

// The limit of platform errors per step.
const TRIES_MAX = 6;
// A worker that is killed again and again must not fail the runs that it carries: with the delays after the third, twelve take minutes.
const [LOST_AT_ONCE_MAX, LOST_MAX] = [3, 12];
const LOST_DELAY_MS = 4_000;
// Over several minutes. Not without end, since each try of a begun step asks the model again, and a statement may be too slow each time.
const BUSY_TRIES_MAX = 12;
// A broken answer costs the platform its upstream's price.
const BROKEN_ANSWERS_MAX = 3;
const EMPTY_ANSWERS_MAX = 2;
const ACCOUNT_TRIES_MAX = 3;
const FIRST_DELAY_MS = 500;
// All tries of a short activity are made within its time.
const SHORT_DELAY_MS = 200;

/** A step's failure for the run's workflow and callers, with its retry limit. */
interface StepFault {
  /** The kind of failure of the run: see the workflow's `runEndingOf`. */
  type: string;
  /** The code in events. */
  code: string;
  /** Total number of attempts; `Infinity`: until the run's deadline. */
  triesMax: number;
  message: string;
  /** The plugin at fault, which the run's error names. */
  pluginId?: string;
  /** The least delay before the next attempt. */
  retryAfterMs?: number;
  /** Each attempt has a delay of its own, down to a quarter: steps that failed at one moment must not begin again at one. */
  isSpread?: boolean;
}

/** The model ended its answer without text and without a tool call. */
export class EmptyAnswer extends Error {
  override readonly name = 'EmptyAnswer';
  readonly quantities: ThousandthsByMeter;

  constructor(quantities: ThousandthsByMeter) {
    super('the model ended without an answer');
    this.quantities = quantities;
  }
}

/**
 * Classifies the error that ended a step, or the work before one if there is no `step`: that has not asked a model, and may wait for the
 * database as long as the run does. `hasSpoken`: a part of the model's answer had arrived.
 */
function faultOf(error: unknown, step?: { hasSpoken: boolean }): StepFault {
  if (error instanceof ProviderError) return providerFault(error, step?.hasSpoken ?? false);
  if (error instanceof EmptyAnswer) {
    return { type: 'empty', code: 'empty_answer', triesMax: EMPTY_ANSWERS_MAX, message: 'The model said nothing.' };
  }
  if (error instanceof PluginUnavailable || error instanceof PluginUnusable) {
    const { pluginId } = error;
    const message = 'A plugin cannot be used.';
    return { type: 'plugin', code: 'plugin_unavailable', triesMax: TRIES_MAX, message, pluginId };
  }
  // The next attempt asks the caller for the requirement.
  if (error instanceof PluginNeedsCaller) {
    return {
      type: 'plugin',
      code: `${error.need.type}_missing`,
      triesMax: TRIES_MAX,
      message: 'A plugin needs its caller.',
      pluginId: error.need.plugin,
    };
  }
  if (error instanceof ApplicationFailure && error.nonRetryable) {
    return { type: error.type ?? 'platform', code: error.type ?? 'platform', triesMax: 1, message: error.message };
  }
  if (error instanceof StepLost && error.isOver) {
    return { type: 'lost', code: 'lost', triesMax: 1, message: 'Its run has ended.' };
  }
  if (error instanceof WorkersLost) {
    const retryAfterMs = LOST_DELAY_MS * 2 ** (error.lost - LOST_AT_ONCE_MAX);
    const triesMax = error.lost < LOST_MAX ? Infinity : 1;
    return {
      type: 'platform',
      code: 'worker_lost',
      triesMax,
      message: 'The workers of this step are lost.',
      retryAfterMs,
      isSpread: true,
    };
  }
  // A try that was held up has begun the step once more. The server takes the failure of one try only, and repeats the step for it.
  if (error instanceof StepLost) {
    return { type: 'platform', code: 'step_taken_over', triesMax: Infinity, message: 'Another try has the step.' };
  }
  if (error instanceof ObjectStoreFailed && !error.isMissing) {
    const message = 'The store of files does not answer.';
    return { type: 'platform', code: 'file_store_unavailable', triesMax: Infinity, message };
  }
  if (isDatabaseBusy(error)) {
    const message = 'The database is too busy.';
    return { type: 'platform', code: 'database_busy', triesMax: step ? BUSY_TRIES_MAX : Infinity, message };
  }
  if (isPassing(error)) {
    const message = 'The database does not answer.';
    return { type: 'platform', code: 'database_unavailable', triesMax: Infinity, message };
  }
  return { type: 'platform', code: 'internal_error', triesMax: TRIES_MAX, message: 'A fault of ours.' };
}

const REFUSALS: Record<string, string> = {
  context_length_exceeded: 'too_long',
  content_policy_violation: 'content_policy',
  content_filter: 'content_policy',
};

function providerFault({ fault, retryAfterMs, detail }: ProviderError, hasSpoken: boolean): StepFault {
  const message = `The model's upstream: ${fault}.`;
  switch (fault) {
    case 'refused': {
      const type = REFUSALS[detail?.code ?? ''] ?? 'refused';
      return { type, code: 'provider_refused', triesMax: 1, message: 'The model refused the request.' };
    }
    case 'unavailable':
      return { type: 'provider', code: 'provider_failed', triesMax: 1, message };
    // Each attempt has tried every upstream, and an operator was alerted: none answers before the key or the credit is renewed.
    case 'account':
      return { type: 'provider', code: 'provider_failed', triesMax: ACCOUNT_TRIES_MAX, message, retryAfterMs };
    case 'overloaded':
      return { type: 'overloaded', code: 'overloaded', triesMax: Infinity, message, retryAfterMs };
    case 'failed':
    case 'stalled':
    case 'unreachable':
      if (hasSpoken) return { type: 'provider', code: 'answer_interrupted', triesMax: BROKEN_ANSWERS_MAX, message };
      // Each attempt tries every upstream of the model.
      return { type: 'provider', code: 'provider_failed', triesMax: Infinity, message, retryAfterMs };
    default:
      return fault satisfies never;
  }
}

/**
 * The error of an activity that has not begun its step, for the workflow. Its text is stored in the history, so it contains no content of
 * the run; the log has the full error.
 */
export function failureOf(error: unknown, tries = activityInfo().attempt): ApplicationFailure | CancelledFailure {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  log.warn('a step failed', { error });
  const { type, message, triesMax, pluginId } = faultOf(error);
  return ApplicationFailure.create({ message, type, nonRetryable: tries >= triesMax, details: detailsOf(pluginId) });
}

/** The details of a failure for the workflow: the plugin at fault, which `runEndingOf` reads. */
const detailsOf = (pluginId: string | undefined): string[] => (pluginId === undefined ? [] : [pluginId]);

type Activity = (...order: never[]) => Promise<unknown>;

/**
 * The same short activities, with an end to their tries. While the database is down or too busy, Temporal tries again without limit. Any
 * other fault is ours and would come again: it is tried a few times here, and then fails the activity, so that what waits for it can end.
 */
export function withTries<Activities extends Record<string, Activity>>(activities: Activities): Activities {
  const names = Object.keys(activities) as (keyof Activities & string)[];
  return Object.fromEntries(names.map((name) => [name, tried(activities[name]!)])) as Activities;
}

const tried =
  (work: Activity): Activity =>
  async (...order) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work(...order);
      } catch (error) {
        const failure = failureOf(error, tries);
        if (isOutage(error) || !(failure instanceof ApplicationFailure) || failure.nonRetryable) throw failure;
      }
      await sleep(SHORT_DELAY_MS * 2 ** (tries - 1));
    }
  };

const isOutage = (error: unknown): boolean =>
  error instanceof ApplicationFailure || faultOf(error).triesMax === Infinity;

/** The attempts of a step end with their workers. */
class WorkersLost extends Error {
  override readonly name = 'WorkersLost';
  readonly lost: number;

  constructor(lost: number) {
    super(`the step has lost ${lost} workers`);
    this.lost = lost;
  }
}

/**
 * Throws after lost workers, from the third on once for each: the step may cause the crashes, of which other steps of the worker die, too.
 * Its attempts come at growing distances, at which others are done, and have an end. The others have lost as many workers: each is put off
 * by another time.
 */
export function putOffAfterLosses(attempt: number, retries: Record<string, number>): void {
  const lost = attempt - 1 - sumOf(retries);
  if (lost >= LOST_AT_ONCE_MAX && (retries.worker_lost ?? 0) <= lost - LOST_AT_ONCE_MAX) throw new WorkersLost(lost);
}

const sumOf = (retries: Record<string, number>): number =>
  Object.values(retries).reduce((sum, count) => sum + count, 0);

/** A failed attempt of a step. */
interface FailedAttempt {
  begun: BegunStep;
  watch: Watch;
  error: unknown;
  /** Whether a part of the model's answer had arrived. */
  hasSpoken: boolean;
}

/**
 * Records a failed attempt of a step, and whether and when it is retried; returns the error for the activity to throw. Its usage stays
 * metered: if the run fails because of it, the platform bears that cost. Records nothing when another worker has taken over the step.
 */
export async function failStep(
  { pool, retryDelayMaxMs }: { pool: Pool; retryDelayMaxMs: number },
  { begun, watch, error, hasSpoken }: FailedAttempt,
): Promise<Error> {
  if (error instanceof LeaseLost || watch.stopReason() === 'lost')
    return new CancelledFailure('This worker no longer carries the step.');
  if (error instanceof StepLost || error instanceof CancelledFailure) return failureOf(error);
  log.warn('a step failed', { error });
  const fault = faultOf(error, { hasSpoken });
  const quantities = error instanceof EmptyAnswer ? error.quantities : {};
  const retryAfterMs = await recordFailure({ pool, retryDelayMaxMs }, { begun, watch, fault, quantities });
  const { message, type, pluginId } = fault;
  const nonRetryable = retryAfterMs === undefined;
  const details = detailsOf(pluginId);
  return ApplicationFailure.create({ message, type, nonRetryable, nextRetryDelay: retryAfterMs, details });
}

/**
 * Records a failed attempt once the database answers: unrecorded, it would count as one whose worker was lost. Returns the delay before the
 * next attempt, if there is one.
 */
async function recordFailure(
  { pool, retryDelayMaxMs }: { pool: Pool; retryDelayMaxMs: number },
  {
    begun,
    watch,
    fault,
    quantities,
  }: Pick<FailedAttempt, 'begun' | 'watch'> & { fault: StepFault; quantities: ThousandthsByMeter },
): Promise<number | undefined> {
  const delayAfter = (retries: Record<string, number>) =>
    delayOf(fault, { retries, leftMs: watch.leftMs(), retryDelayMaxMs });
  let retryAfterMs = delayAfter({});
  try {
    await retryWhileDatabaseDown(watch, async () => {
      retryAfterMs = delayAfter(await retriesOf(pool, begun));
      const failure = { reason: fault.code };
      await finishStep(pool, begun, { state: 'failed', failure, retryAfterMs, result: null, quantities });
    });
  } catch (error) {
    // The next attempt begins the step all the same.
    log.warn('the failure of a step was not recorded', { error });
  }
  return retryAfterMs;
}

/** Delay before the next attempt: doubled each time, up to a limit. Undefined for the last attempt. */
function delayOf(
  { code, triesMax, retryAfterMs = 0, isSpread = false }: StepFault,
  { retries, leftMs, retryDelayMaxMs }: { retries: Record<string, number>; leftMs: number; retryDelayMaxMs: number },
): number | undefined {
  if ((retries[code] ?? 0) + 1 >= triesMax) return undefined;
  const putOff = sumOf(retries);
  // Jitter, so that runs that failed together do not retry together.
  const growingMs = Math.round(FIRST_DELAY_MS * 2 ** Math.min(putOff, 30) * (0.75 + Math.random() / 4));
  const mostMs = Math.min(retryDelayMaxMs, Math.max(retryAfterMs, growingMs));
  const delayMs = isSpread ? Math.round(mostMs * (0.25 + 0.75 * Math.random())) : mostMs;
  return delayMs < leftMs ? delayMs : undefined;
}
