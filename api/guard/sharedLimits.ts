import type { Key } from '../../db/keys/keys.ts';
import type { Context } from '../context.ts';
import { createLocalLimits } from './localLimits.ts';
import {
  countsOf,
  limitClassOf,
  refusalBy,
  setRateLimitHeaders,
  type Quota,
  type Head,
  type Release,
  type Limits,
  type Usage,
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
    const usage: Usage[] = [];
    const leaves: Release[] = [];
    const leave = () => leaves.forEach((one) => one());
    // Upwards, one after another: a key that is refused for its own limits uses up nothing of those above.
    for (const count of countsOf(key, limitClassOf(ctx), defaults)) {
      const taken = await store.take({ ...count, ...count.quota });
      if (!taken) {
        leave();
        return local.enter(ctx, key);
      }
      usage.push([count, taken.used]);
      if (taken.refusedBy) {
        leave();
        setRateLimitHeaders(ctx, usage);
        throw refusalBy(taken.refusedBy, usage.at(-1)!);
      }
      if (count.limitClass !== 'steering') leaves.push(() => store.free(count));
    }
    setRateLimitHeaders(ctx, usage);
    return leave;
  }

  async function setHeaders(head: Head, key: Key): Promise<void> {
    const counts = countsOf(key, 'call', defaults);
    const looked = await Promise.all(counts.map(async (count) => [count, await store.look(count.keyId)] as const));
    const usage = looked.flatMap(([count, used]): Usage[] => (used ? [[count, used]] : []));
    if (usage.length === counts.length) setRateLimitHeaders(head, usage);
    else local.setHeaders(head, key);
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    await store.close();
  }

  return { enter, setHeaders, defaults, storeAnswers: store.answers, close };
}
