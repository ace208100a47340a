import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for `work`, but no longer than `limitMs`; `work` then goes on in the background. True: it finished in time. Rejects as `work`
 * does before.
 */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(limitMs, false, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
