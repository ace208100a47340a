import { until } from './until.ts';

const DAY_MS = 86_400_000;
const ROOM_MS = 60_000;

/** Waits out the last minute of a day in UTC, for tests of what is counted by days. */
export function waitPastMidnight(): Promise<void> {
  return until(() => DAY_MS - (Date.now() % DAY_MS) > ROOM_MS, { pollMs: 250, timeoutMs: 2 * ROOM_MS });
}
