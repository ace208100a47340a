import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLiveCalls } from '../../../db/postgres/liveCalls.ts';
import type { Notice } from '../../../db/postgres/notices.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Processes that hear each other's notices, and the number of notices. */
function setUp() {
  const listeners = new Set<(notice: Notice) => void>();
  const seen = { notices: 0 };
  const notices = {
    listen: (listener: (notice: Notice) => void) => (listeners.add(listener), () => listeners.delete(listener)),
  };
  const announce = () => {
    seen.notices += 1;
    for (const listener of listeners) listener({ kind: 'live' });
  };
  const open = () => createLiveCalls({ notices, announce });
  return { seen, api: open(), worker: open() };
}

test('every process knows of live calls soon after the first one, and forgets them soon after the last one', async () => {
  const { api, worker } = setUp();
  expect(worker.areFrequent()).toBe(false);
  api.begin();
  await jest.advanceTimersByTimeAsync(0);
  expect(worker.areFrequent()).toBe(true);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(worker.areFrequent()).toBe(false);
});

test('many calls need few notices, and stay known while more begin', async () => {
  const { seen, api, worker } = setUp();
  for (let call = 0; call < 1_000; call += 1) {
    api.begin();
    await jest.advanceTimersByTimeAsync(1);
    expect(worker.areFrequent()).toBe(true);
  }
  expect(seen.notices).toBe(5);
});
