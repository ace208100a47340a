import type { Key } from '../../db/keys/keys.ts';
import type { Context, LimitClass } from '../context.ts';
import {
  countsOf,
  limitClassOf,
  MINUTE_MS,
  refusalOf,
  setRateLimitHeaders,
  type Count,
  type Head,
  type Quota,
  type Usage,
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
    const counts = countsOf(key, limitClassOf(ctx), defaults);
    const refusal = usageOf(counts, nowMs).map(refusalOf).find(Boolean);
    const leaves = refusal ? [] : counts.map((count) => add(count, nowMs));
    setRateLimitHeaders(ctx, usageOf(counts, nowMs));
    if (refusal) throw refusal;
    return () => leaves.forEach((leave) => leave());
  }

  function add({ keyId, quota, limitClass }: Count, nowMs: number): () => void {
    const counter = counterOf(keyId);
    counter.fullAtMs = Math.max(counter.fullAtMs, nowMs) + MINUTE_MS / quota.rpm;
    counter.inFlight[limitClass] += 1;
    return () => void (counter.inFlight[limitClass] -= 1);
  }

  const usageOf = (counts: Count[], nowMs: number): Usage[] =>
    counts.map((count) => [count, usedOf(counterOf(count.keyId), nowMs, count.limitClass)]);

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
    setHeaders: (head: Head, key: Key) => setRateLimitHeaders(head, usageOf(countsOf(key, 'call', defaults), now())),
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
