import { until } from './until.ts';

const DAY_MS = 86_400_000;
// Several times what a test file takes.
const ROOM_MS = 90_000;

/**
 * Waits until a UTC day that is about to end is over: what a test does on a day, it then reads on the same day, and in the same month. Each
 * test file begins so (`environment.cjs`); one that takes minutes waits again.
 */
export function waitPastMidnight(): Promise<void> {
  return until(() => DAY_MS - (Date.now() % DAY_MS) > ROOM_MS, { pollMs: 250, timeoutMs: 2 * ROOM_MS });
}
