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

/**
 * Requests per minute, and concurrent requests of each class, counted for each key. A request also counts for the keys that its key comes
 * from, as far as limits were set on them: they hold for a key and all that it makes together.
 */
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
function quotaOf(key: Key, defaults: Quota): Quota {
  return { rpm: key.rpmLimit ?? defaults.rpm, concurrency: key.concurrencyLimit ?? defaults.concurrency };
}

/** What a request counts against: a key, its limits, and the class. */
export interface Count {
  keyId: string;
  quota: Quota;
  limitClass: LimitClass;
  /** It is not the calling key itself. */
  isAbove: boolean;
}

/** The counts of a request: its key's first, then those of the limited keys above it, upwards. */
export function countsOf(key: Key, limitClass: LimitClass, defaults: Quota): Count[] {
  const own = { keyId: key.keyId, quota: quotaOf(key, defaults), limitClass, isAbove: false };
  if (!key.limitedBy) return [own];
  const above = key.limitedBy.map(({ keyId, rpmLimit: rpm, concurrencyLimit: concurrency }): Count => {
    // What was not limited there is counted for the calling key alone.
    const quota = { rpm: rpm ?? Infinity, concurrency: concurrency ?? Infinity };
    return { keyId, quota, limitClass: concurrency === null ? 'steering' : limitClass, isAbove: true };
  });
  return [own, ...above];
}

/** How long another request must wait for the rate (GCRA: a leaky bucket that holds one minute's requests). */
function waitMsOf({ rpm }: Quota, { backlogMs }: Used): number {
  return Math.max(0, backlogMs + MINUTE_MS / rpm - MINUTE_MS - ROUNDING_MS);
}

/** A count and what is used of it. */
export type Usage = readonly [Count, Used];

/** The 429 of the next request, if any. The rate is checked first. */
export function refusalOf(usage: Usage): Error | undefined {
  const [{ quota, limitClass }, used] = usage;
  if (waitMsOf(quota, used) > 0) return refusalBy('rate', usage);
  if (limitClass === 'steering' || used.inFlight < quota.concurrency) return undefined;
  return refusalBy('concurrency', usage);
}

/** The 429 of a request that this limit of a count refuses. */
export function refusalBy(limit: 'rate' | 'concurrency', [{ quota, limitClass, isAbove }, used]: Usage): Error {
  if (limit === 'rate') return rateLimitExceeded(quota.rpm, waitMsOf(quota, used), isAbove);
  return concurrencyLimitExceeded(quota.concurrency, limitClass, isAbove);
}

/** Sets OpenAI's rate-limit headers: of several counts, of the one that leaves least. */
export function setRateLimitHeaders({ res }: Head, usage: readonly Usage[]): void {
  const rate = usage.reduce((least, one) => (requestsLeft(one) < requestsLeft(least) ? one : least));
  const slots = usage.reduce((least, one) => (slotsLeft(one) < slotsLeft(least) ? one : least));
  res.setHeader('x-ratelimit-limit-requests', rate[0].quota.rpm);
  res.setHeader('x-ratelimit-remaining-requests', requestsLeft(rate));
  res.setHeader('x-ratelimit-reset-requests', durationText(Math.max(0, rate[1].backlogMs - ROUNDING_MS)));
  res.setHeader('x-ratelimit-limit-concurrency', slots[0].quota.concurrency);
  res.setHeader('x-ratelimit-remaining-concurrency', slotsLeft(slots));
}

function requestsLeft([{ quota }, { backlogMs }]: Usage): number {
  if (quota.rpm === Infinity) return Infinity;
  return Math.max(0, Math.floor(((MINUTE_MS - backlogMs + ROUNDING_MS) * quota.rpm) / MINUTE_MS));
}

const slotsLeft = ([{ quota }, { inFlight }]: Usage): number => Math.max(0, quota.concurrency - inFlight);

/** OpenAI's format for durations: `120ms`, `1s`, `6m0s`. */
export function durationText(spanMs: number): string {
  if (spanMs <= 999) return `${Math.ceil(spanMs)}ms`;
  const seconds = Math.ceil(spanMs / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
