import { jest } from '@jest/globals';
import { productGlobal } from './productRealm.ts';
import { until } from './until.ts';

/** Makes the product's timers of one length shorter or longer, until the mocks are restored. */
export function retime({ fromMs, toMs }: { fromMs: number; toMs: number }): void {
  for (const kind of ['setTimeout', 'setInterval'] as const) {
    const original = productGlobal[kind];
    const retimed = (callback: () => void, ms?: number, ...args: []) =>
      original(callback, ms === fromMs ? toMs : ms, ...args);
    jest.spyOn(productGlobal, kind).mockImplementation(retimed);
  }
}

const DAY_MS = 86_400_000;
const ROOM_MS = 60_000;

/** Waits until the last minute of a UTC day is over, for tests with daily limits. */
export function waitPastMidnight(): Promise<void> {
  return until(() => DAY_MS - (Date.now() % DAY_MS) > ROOM_MS, { pollMs: 250, timeoutMs: 2 * ROOM_MS });
}
