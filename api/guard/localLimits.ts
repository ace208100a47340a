import type { Key } from '../../db/keys/keys.ts';
import type { Context, LimitClass } from '../context.ts';
import {
  limitClassOf,
  MINUTE_MS,
  quotaOf,
  refusalOf,
  setRateLimitHeaders,
  type Head,
  type Quota,
  type Used,
  type Limits,
} from './rate.ts';

const SWEEP_MS = 60_000;

interface Counter {
  /** When the key's whole minute is free again, on the clock `now`. */
  fullAtMs: number;
  inFlight: Record<LimitClass, number>;
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
    const limitClass = limitClassOf(ctx);
    const refusal = refusalOf(quota, usedOf(counter, nowMs, limitClass), limitClass);
    if (!refusal) {
      counter.fullAtMs = Math.max(counter.fullAtMs, nowMs) + MINUTE_MS / quota.rpm;
      counter.inFlight[limitClass] += 1;
    }
    setRateLimitHeaders(ctx, quota, usedOf(counter, nowMs, limitClass));
    if (refusal) throw refusal;
    return () => void (counter.inFlight[limitClass] -= 1);
  }

  function counterOf(keyId: string): Counter {
    let counter = counters.get(keyId);
    if (!counter)
      counters.set(keyId, (counter = { fullAtMs: -Infinity, inFlight: { call: 0, follower: 0, steering: 0 } }));
    return counter;
  }

  function sweep(nowMs: number): void {
    sweptAtMs = nowMs;
    for (const [keyId, { inFlight, fullAtMs }] of counters)
      if (inFlight.call + inFlight.follower + inFlight.steering === 0 && fullAtMs < nowMs) counters.delete(keyId);
  }

  return {
    enter,
    setHeaders: (head: Head, key: Key) =>
      setRateLimitHeaders(head, quotaOf(key, defaults), usedOf(counterOf(key.keyId), now(), 'call')),
    defaults,
    storeAnswers: () => Promise.resolve(true),
    close: async () => {},
  } satisfies Limits;
}

// A `steering` request reports the remaining slots of calls.
function usedOf({ fullAtMs, inFlight }: Counter, nowMs: number, limitClass: LimitClass): Used {
  return {
    backlogMs: Math.max(0, fullAtMs - nowMs),
    inFlight: inFlight[limitClass === 'steering' ? 'call' : limitClass],
  };
}
