import type { Key } from '../../db/keys/keys.ts';
import type { Context } from '../context.ts';
import { concurrencyLimitExceeded, rateLimitExceeded } from '../../base/errors/limitErrors.ts';
import { createLocalLimits } from './localLimits.ts';
import {
  limitClassOf,
  quotaOf,
  setRateLimitHeaders,
  waitMsOf,
  type Quota,
  type Head,
  type Release,
  type Limits,
} from './rate.ts';
import type { LimitStore } from './limitStore.ts';

// A third of the store's lease.
const RENEW_MS = 10_000;

/**
 * Limits shared by several API processes, counted in a store. A process renews the lease of its slots, so slots of a dead process expire.
 * While the store is unreachable each process counts alone: keys may exceed their limits, but no caller is refused because of the outage.
 */
export function createSharedLimits(defaults: Quota, store: LimitStore): Limits {
  const local = createLocalLimits(defaults);
  const timer = setInterval(store.renew, RENEW_MS);
  timer.unref();

  async function enter(ctx: Context, key: Key): Promise<Release> {
    const quota = quotaOf(key, defaults);
    const slot = { keyId: key.keyId, limitClass: limitClassOf(ctx) };
    const taken = await store.take({ ...slot, ...quota });
    if (!taken) return local.enter(ctx, key);
    setRateLimitHeaders(ctx, quota, taken.used);
    if (taken.refusedBy === 'rate') throw rateLimitExceeded(quota.rpm, waitMsOf(quota, taken.used));
    if (taken.refusedBy === 'concurrency') throw concurrencyLimitExceeded(quota.concurrency, slot.limitClass);
    if (slot.limitClass === 'steering') return () => {};
    return () => store.free(slot);
  }

  async function setHeaders(head: Head, key: Key): Promise<void> {
    const used = await store.look(key.keyId);
    if (used) setRateLimitHeaders(head, quotaOf(key, defaults), used);
    else local.setHeaders(head, key);
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    await store.close();
  }

  return { enter, setHeaders, defaults, storeAnswers: store.answers, close };
}
