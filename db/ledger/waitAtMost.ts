import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work, but no longer than `limitMs`: it goes on unheard then. True: it was done by then. Throws what it throws before. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(limitMs, false, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
