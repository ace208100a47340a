import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { SilenceWatch } from '../../../providers/openai/silenceWatch.ts';

const LIMIT_MS = 2_000;
const TICK_MS = 500;

let watch: SilenceWatch;

beforeEach(() => {
  jest.useFakeTimers();
  watch = new SilenceWatch();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A call whose upstream is silent. */
function silentCall(more: { hasHead?: boolean; silenceMaxMs?: number | undefined } = {}) {
  const errors: string[] = [];
  const giveUp = ({ name }: Error): void => void errors.push(name);
  return { heardAtTick: 0, hasHead: false, silenceMaxMs: LIMIT_MS, giveUp, errors, ...more };
}

test.each([0, 1, 250, 499])('a silent call ends after its limit, and never before (added at %i ms)', (offsetMs) => {
  watch.add(silentCall());
  jest.advanceTimersByTime(offsetMs);
  const call = silentCall();
  watch.add(call);
  jest.advanceTimersByTime(LIMIT_MS - 1);
  expect(call.errors).toEqual([]);
  jest.advanceTimersByTime(2 * TICK_MS);
  expect(call.errors[0]).toBe('HeadersTimeoutError');
});

test('a call whose answer has begun ends with the error for that', () => {
  const call = silentCall({ hasHead: true });
  watch.add(call);
  jest.advanceTimersByTime(LIMIT_MS + 2 * TICK_MS);
  expect(call.errors[0]).toBe('BodyTimeoutError');
});

test('a call whose upstream is heard goes on', () => {
  const call = silentCall();
  watch.add(call);
  for (let heard = 0; heard < 5; heard += 1) {
    jest.advanceTimersByTime(LIMIT_MS - TICK_MS);
    call.heardAtTick = watch.ticks;
  }
  expect(call.errors).toEqual([]);
});

test('the time in which its reader takes nothing does not count', () => {
  const call = silentCall({ silenceMaxMs: undefined });
  watch.add(call);
  jest.advanceTimersByTime(10 * LIMIT_MS);
  call.silenceMaxMs = LIMIT_MS;
  jest.advanceTimersByTime(LIMIT_MS - 1);
  expect(call.errors).toEqual([]);
  jest.advanceTimersByTime(2 * TICK_MS);
  expect(call.errors).toHaveLength(1);
});

test('a call that has ended is left alone, and without calls nothing runs', () => {
  const call = silentCall();
  watch.add(call);
  watch.delete(call);
  jest.advanceTimersByTime(10 * LIMIT_MS);
  expect(call.errors).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});
