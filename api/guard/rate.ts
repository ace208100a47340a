import type { Key } from '../../db/keys.ts';
import { concurrencyLimitExceeded, rateLimitExceeded } from '../errors.ts';
import type { Context, Guard } from '../context.ts';

const MINUTE_MS = 60_000;
const SWEEP_MS = 60_000;

interface Counter {
  /** Theoretical arrival time (GCRA): when a bucket that drips evenly would be full again. */
  fullAtMs: number;
  inFlight: number;
}

export type Limits = ReturnType<typeof createLimits>;

/**
 * Requests a minute (GCRA) and requests in flight, for each key, in this process's memory: a slot can't outlive the process that
 * took it. A refused call takes no quota.
 */
export function createLimits({ defaultRpm, defaultConcurrency }: { defaultRpm: number; defaultConcurrency: number }) {
  const counters = new Map<string, Counter>();
  let sweptAtMs = performance.now();

  /** Counts a request in, sets the headers that tell what is left, and returns what counts it out. Throws the two 429s. */
  function enter(ctx: Context, key: Key): () => void {
    const nowMs = performance.now();
    if (nowMs - sweptAtMs > SWEEP_MS) sweep(nowMs);
    const limit = { rpm: key.rpmLimit ?? defaultRpm, concurrency: key.concurrencyLimit ?? defaultConcurrency };
    const counter = counterOf(key.keyId);
    const spacingMs = MINUTE_MS / limit.rpm;
    const fullAtMs = Math.max(counter.fullAtMs, nowMs) + spacingMs;
    const waitMs = fullAtMs - nowMs - MINUTE_MS;
    const refused = waitMs > 0 || counter.inFlight >= limit.concurrency;
    if (!refused) {
      counter.fullAtMs = fullAtMs;
      counter.inFlight += 1;
    }
    tell(ctx, limit, counter, nowMs);
    if (waitMs > 0) throw rateLimitExceeded(limit.rpm, waitMs);
    if (refused) throw concurrencyLimitExceeded(limit.concurrency);
    return () => void (counter.inFlight -= 1);
  }

  function counterOf(keyId: string): Counter {
    let counter = counters.get(keyId);
    if (!counter) counters.set(keyId, (counter = { fullAtMs: 0, inFlight: 0 }));
    return counter;
  }

  function sweep(nowMs: number): void {
    sweptAtMs = nowMs;
    for (const [keyId, counter] of counters)
      if (counter.inFlight === 0 && counter.fullAtMs < nowMs) counters.delete(keyId);
  }

  return { enter, defaults: { rpm: defaultRpm, concurrency: defaultConcurrency } };
}

/** Counts a request against its key's limits until its answer has ended or its client is gone. */
export function rate(limits: Limits): Guard {
  return (ctx, next) => {
    const leave = limits.enter(ctx, ctx.state.key);
    ctx.res.once('close', leave);
    return next();
  };
}

function tell(ctx: Context, limit: { rpm: number; concurrency: number }, counter: Counter, nowMs: number): void {
  const backlogMs = Math.max(0, counter.fullAtMs - nowMs);
  const { res } = ctx;
  res.setHeader('x-ratelimit-limit-requests', limit.rpm);
  res.setHeader(
    'x-ratelimit-remaining-requests',
    Math.max(0, Math.floor(((MINUTE_MS - backlogMs) * limit.rpm) / MINUTE_MS)),
  );
  res.setHeader('x-ratelimit-reset-requests', durationText(backlogMs));
  res.setHeader('x-ratelimit-limit-concurrency', limit.concurrency);
  res.setHeader('x-ratelimit-remaining-concurrency', limit.concurrency - counter.inFlight);
}

/** OpenAI's way to write a time span: `120ms`, `1s`, `6m0s`. */
export function durationText(spanMs: number): string {
  if (spanMs < 1000) return `${Math.ceil(spanMs)}ms`;
  const seconds = Math.ceil(spanMs / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
