import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLinePace } from '../../../activities/batch/linePace.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A pace of this many waiting lines, with how many have begun. */
function beginAll(count: number, areFrequent: boolean) {
  const pace = createLinePace({ areFrequent: () => areFrequent });
  const seen = { begun: 0 };
  for (let line = 0; line < count; line += 1) void pace.next().then(() => (seen.begun += 1));
  return seen;
}

test('without live calls lines begin at once', async () => {
  const seen = beginAll(100, false);
  await jest.advanceTimersByTimeAsync(0);
  expect(seen.begun).toBe(100);
});

test('beside live calls lines begin one after the other, at the same pace for all batches', async () => {
  const seen = beginAll(100, true);
  await jest.advanceTimersByTimeAsync(100);
  expect(seen.begun).toBe(20);
  await jest.advanceTimersByTimeAsync(400);
  expect(seen.begun).toBe(100);
});
