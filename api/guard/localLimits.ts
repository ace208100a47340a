import type { Key } from '../../db/keys.ts';
import type { Context } from '../context.ts';
import { MINUTE_MS, quotaOf, refusalOf, setRateLimitHeaders, type Quota, type Used, type Limits } from './rate.ts';

const SWEEP_MS = 60_000;

interface Counter {
  /** When the key's whole minute is free again, on the clock `now`. */
  fullAtMs: number;
  inFlight: number;
}

/** Rate limits in this process's memory: slots end with the process. `now` is a monotonic clock, in milliseconds. */
export function createLocalLimits(defaults: Quota, now = () => performance.now()) {
  const counters = new Map<string, Counter>();
  let sweptAtMs = now();

  function enter(ctx: Context, key: Key): () => void {
    const nowMs = now();
    if (nowMs - sweptAtMs > SWEEP_MS) sweep(nowMs);
    const quota = quotaOf(key, defaults);
    const counter = counterOf(key.keyId);
    const refusal = refusalOf(quota, usedOf(counter, nowMs));
    if (!refusal) {
      counter.fullAtMs = Math.max(counter.fullAtMs, nowMs) + MINUTE_MS / quota.rpm;
      counter.inFlight += 1;
    }
    setRateLimitHeaders(ctx, quota, usedOf(counter, nowMs));
    if (refusal) throw refusal;
    return () => void (counter.inFlight -= 1);
  }

  function counterOf(keyId: string): Counter {
    let counter = counters.get(keyId);
    if (!counter) counters.set(keyId, (counter = { fullAtMs: -Infinity, inFlight: 0 }));
    return counter;
  }

  function sweep(nowMs: number): void {
    sweptAtMs = nowMs;
    for (const [keyId, counter] of counters)
      if (counter.inFlight === 0 && counter.fullAtMs < nowMs) counters.delete(keyId);
  }

  return {
    enter,
    setHeaders: (ctx: Context, key: Key) =>
      setRateLimitHeaders(ctx, quotaOf(key, defaults), usedOf(counterOf(key.keyId), now())),
    defaults,
    close: async () => {},
  } satisfies Limits;
}

function usedOf(counter: Counter, nowMs: number): Used {
  return { backlogMs: Math.max(0, counter.fullAtMs - nowMs), inFlight: counter.inFlight };
}
