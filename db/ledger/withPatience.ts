import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work, but no longer than `limitMs`: it goes on unheard then. Throws what it throws before. */
export async function withPatience(limitMs: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([work, sleep(limitMs, undefined, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}
