import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Pool } from 'pg';
import { createKeyWatch } from '../../../db/keys/keyWatch.ts';
import type { Notice, Notices } from '../../../db/postgres/notices.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A watch on a database with ended keys that records its queries and can be made unavailable. */
function setUp() {
  const state = { isAway: false, ended: [] as string[], asked: [] as string[][] };
  const listeners: ((notice: Notice) => void)[] = [];
  const pool = {
    query: async (_: string, [keyIds]: [string[]]) => {
      state.asked.push(keyIds);
      if (state.isAway) throw new Error('connect ECONNREFUSED');
      return { rows: keyIds.filter((id) => state.ended.includes(id)).map((id) => ({ id })) };
    },
  };
  const notices = { listen: (hear: (notice: Notice) => void) => listeners.push(hear) };
  const { watch } = createKeyWatch({ pool: pool as unknown as Pool, notices: notices as unknown as Notices });
  return {
    state,
    watch,
    hear: async () => {
      listeners.forEach((hear) => hear({ kind: 'key', hash: '00' }));
      await jest.advanceTimersByTimeAsync(0);
    },
    pass: (ms: number) => jest.advanceTimersByTimeAsync(ms),
  };
}

test('the notice ends the calls of a revoked key, once, and not those of another key', async () => {
  const { state, watch, hear } = setUp();
  const [first, second, other] = [jest.fn(), jest.fn(), jest.fn()];
  watch('key_1', first);
  watch('key_1', second);
  watch('key_2', other);
  state.ended = ['key_1'];
  await hear();
  await hear();
  expect([first, second, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
  expect(state.asked).toEqual([['key_1', 'key_2'], ['key_2']]);
});

test('without a notice they end within half a minute', async () => {
  const { state, watch, pass } = setUp();
  const onEnd = jest.fn();
  watch('key_1', onEnd);
  await pass(29_000);
  state.ended = ['key_1'];
  expect(onEnd).not.toHaveBeenCalled();
  await pass(1_000);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test('while the database is down they continue, and end afterwards', async () => {
  const { state, watch, hear, pass } = setUp();
  const onEnd = jest.fn();
  watch('key_1', onEnd);
  state.ended = ['key_1'];
  state.isAway = true;
  await hear();
  expect(onEnd).not.toHaveBeenCalled();
  state.isAway = false;
  await pass(30_000);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test('a call that has ended is not notified, and causes no query', async () => {
  const { state, watch, hear, pass } = setUp();
  const onEnd = jest.fn();
  const stop = watch('key_1', onEnd);
  stop();
  stop();
  state.ended = ['key_1'];
  await hear();
  await pass(60_000);
  expect(onEnd).not.toHaveBeenCalled();
  expect(state.asked).toEqual([]);
});
