import type { LiveCalls } from '../../db/postgres/liveCalls.ts';

// Each costs the machine half a millisecond of processor time. Upstreams that take a second or more for an answer are not slowed by it.
const LINES_PER_SECOND = 200;

/**
 * The pace at which a worker begins lines, of all its batches. Only its places limit them, except while clients wait for calls: then they
 * begin at a fixed rate, so that a call rarely waits behind a line. `next` resolves when the next line may begin.
 */
export function createLinePace(liveCalls: Pick<LiveCalls, 'areFrequent'>) {
  let nextAtMs = 0;

  async function next(): Promise<void> {
    if (!liveCalls.areFrequent()) return;
    const nowMs = performance.now();
    nextAtMs = Math.max(nextAtMs, nowMs) + 1_000 / LINES_PER_SECOND;
    await new Promise((resolve) => setTimeout(resolve, nextAtMs - nowMs));
  }

  return { next };
}
