import { isObject } from '../../base/json.ts';
import type { Key } from '../../db/keys/keys.ts';
import { guard, type Context, type Guard, type LimitClass } from '../context.ts';
import { concurrencyLimitExceeded, rateLimitExceeded } from '../../base/errors/limitErrors.ts';

/** Releases a request's slot. */
export type Release = () => void;

/** The response that gets the headers. */
export interface Head {
  res: { setHeader(name: string, value: string | number): unknown };
}

/** Requests per minute, and concurrent requests of each class, counted for each key. */
export interface Limits {
  /** Counts a request and sets the rate-limit headers. Throws the two 429s; a refused request does not count. */
  enter(ctx: Context, key: Key): Release | Promise<Release>;
  /** Sets the headers without counting: for requests that are refused before they are counted. */
  setHeaders(head: Head, key: Key): void | Promise<void>;
  /** The default limits of a key. */
  defaults: { rpm: number; concurrency: number };
  /** Whether the store that processes share answers; always where there is none. */
  storeAnswers(): Promise<boolean>;
  close(): Promise<void>;
}

/** Counts a request against its key's limits until its answer has ended or its client has disconnected. */
export function rate(limits: Limits): Guard {
  return guard([429], (ctx, next) => {
    const entered = limits.enter(ctx, ctx.state.key);
    return entered instanceof Promise ? entered.then((leave) => run(ctx, leave, next)) : run(ctx, entered, next);
  });
}

/** Sets which limits a request counts against, before `rate`. */
export function limitedAs(classOf: (ctx: Context) => LimitClass): Guard {
  return guard([], (ctx, next) => {
    ctx.state.limitClass = classOf(ctx);
    return next();
  });
}

/** For requests that end or continue running work. */
export const steering: Guard = limitedAs(() => 'steering');

/** The same for JSON-RPC, by a message's method. */
export const limitedByMethod = (classes: Record<string, LimitClass>): Guard =>
  limitedAs(({ state: { input } }) => {
    const method = isObject(input) ? input.method : undefined;
    return typeof method === 'string' && Object.hasOwn(classes, method) ? classes[method]! : 'call';
  });

/** The class of a request. Every deletion is steering: a key at its limit must be able to delete. */
export const limitClassOf = ({ method, state }: Context): LimitClass =>
  method === 'DELETE' ? 'steering' : (state.limitClass ?? 'call');

function run(ctx: Context, leave: Release, next: () => Promise<void>): Promise<void> {
  // A client that disconnected during the key lookup emits no further close event, so its slot is released here.
  if (ctx.res.destroyed) {
    leave();
    ctx.state.log.cancelled = true;
    return Promise.resolve();
  }
  // Not `once`: its wrapper outlives the request in the old generation and keeps the whole request in memory.
  ctx.res.on('close', leave);
  return next();
}

export const MINUTE_MS = 60_000;
/** Greatest rounding error of summed fractions of a minute: a shorter wait counts as none. */
export const ROUNDING_MS = 0.001;

/** The limits of a key: requests per minute, and concurrent requests. */
export interface Quota {
  rpm: number;
  concurrency: number;
}

/** The usage of a key: time until its whole minute is free again, and its concurrent requests of one class. */
export interface Used {
  backlogMs: number;
  inFlight: number;
}

/** A key's own limits, or the default tier's. */
export function quotaOf(key: Key, defaults: Quota): Quota {
  return { rpm: key.rpmLimit ?? defaults.rpm, concurrency: key.concurrencyLimit ?? defaults.concurrency };
}

/** How long another request must wait for the rate (GCRA: a leaky bucket that holds one minute's requests). */
export function waitMsOf({ rpm }: Quota, { backlogMs }: Used): number {
  const waitMs = backlogMs + MINUTE_MS / rpm - MINUTE_MS;
  return waitMs > ROUNDING_MS ? waitMs : 0;
}

/** The 429 of the next request of this class, if any. The rate is checked first. */
export function refusalOf(quota: Quota, used: Used, limitClass: LimitClass): Error | undefined {
  const waitMs = waitMsOf(quota, used);
  if (waitMs > 0) return rateLimitExceeded(quota.rpm, waitMs);
  if (limitClass === 'steering' || used.inFlight < quota.concurrency) return undefined;
  return concurrencyLimitExceeded(quota.concurrency, limitClass);
}

/** Sets OpenAI's rate-limit headers. */
export function setRateLimitHeaders({ res }: Head, { rpm, concurrency }: Quota, { backlogMs, inFlight }: Used): void {
  const remaining = Math.floor(((MINUTE_MS - backlogMs + ROUNDING_MS) * rpm) / MINUTE_MS);
  res.setHeader('x-ratelimit-limit-requests', rpm);
  res.setHeader('x-ratelimit-remaining-requests', Math.max(0, remaining));
  res.setHeader('x-ratelimit-reset-requests', durationText(backlogMs));
  res.setHeader('x-ratelimit-limit-concurrency', concurrency);
  res.setHeader('x-ratelimit-remaining-concurrency', Math.max(0, concurrency - inFlight));
}

/** OpenAI's format for durations: `120ms`, `1s`, `6m0s`. */
export function durationText(spanMs: number): string {
  if (spanMs < 1000) return `${Math.ceil(spanMs)}ms`;
  const seconds = Math.ceil(spanMs / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
