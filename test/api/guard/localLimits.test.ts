import { describe, expect, test } from '@jest/globals';
import type { Context, LimitClass } from '../../../api/context.ts';
import type { ApiError } from '../../../base/errors/apiError.ts';
import { createLocalLimits } from '../../../api/guard/localLimits.ts';
import { durationText } from '../../../api/guard/rate.ts';
import type { Key, LimitingKey } from '../../../db/keys/keys.ts';

const defaults = { rpm: 600, concurrency: 20 };

/** Limits on a clock that the test controls, starting at a realistic time. */
function setUp(ownLimits: Partial<Key> = {}) {
  let nowMs = 1_234_567_890.123;
  const limits = createLocalLimits(defaults, () => nowMs);
  const key = { keyId: 'key_1', rpmLimit: null, concurrencyLimit: null, ...ownLimits } as Key;
  const headers: Record<string, string | number> = {};
  const state: { limitClass?: LimitClass } = {};
  const ctx = { state, res: { setHeader: (name: string, value: string | number) => (headers[name] = value) } };
  const enter = (as = key) => limits.enter(ctx as unknown as Context, as);
  return {
    enter,
    key,
    headers,
    limits,
    ctx: ctx as unknown as Context,
    pass: (spanMs: number) => (nowMs += spanMs),
    /** The class of the following requests. */
    use: (limitClass: LimitClass) => (state.limitClass = limitClass),
    /** Enters and releases at once. */
    call: () => enter()(),
    refusal: (as = key): ApiError => {
      try {
        enter(as);
      } catch (error) {
        return error as ApiError;
      }
      throw new Error('it was let in');
    },
  };
}

describe('requests per minute', () => {
  test('admits exactly the limit at one moment, whatever the limit', () => {
    for (const rpm of [...Array.from({ length: 700 }, (_, index) => index + 1), 997, 9_973, 100_000]) {
      const { call, refusal, headers } = setUp({ rpmLimit: rpm });
      for (let left = rpm - 1; left >= 0; left -= 1) {
        call();
        if (headers['x-ratelimit-remaining-requests'] !== left) throw new Error(`${rpm}: not ${left} left`);
      }
      expect(refusal().code).toBe('rate_limit_exceeded');
    }
  });

  test.each([
    [1, '1m0s', '60', '60000'],
    [7, '9s', '9', '8572'],
    [60, '1s', '1', '1000'],
    [600, '100ms', '1', '100'],
  ])(
    'at %d a minute the headers tell the time of one request, without errors of rounding',
    (rpm, reset, seconds, ms) => {
      const { call, refusal, headers, pass } = setUp({ rpmLimit: rpm });
      for (let minute = 0; minute < 20; minute += 1) {
        pass(60_000.123);
        call();
        expect(headers['x-ratelimit-reset-requests']).toBe(reset);
      }
      for (let count = 1; count < rpm; count += 1) call();
      expect(headers['x-ratelimit-reset-requests']).toBe('1m0s');
      expect(refusal().headers).toMatchObject({ 'retry-after': seconds, 'retry-after-ms': ms });
    },
  );

  test('refills evenly: at 60 a minute, one per second', () => {
    const { call, refusal, pass } = setUp({ rpmLimit: 60 });
    for (let count = 0; count < 60; count += 1) call();
    for (let second = 0; second < 100; second += 1) {
      expect(refusal().code).toBe('rate_limit_exceeded');
      pass(1_000);
      call();
    }
  });

  test('never refuses a steady caller at the limit', () => {
    const { call, pass } = setUp({ rpmLimit: 7 });
    for (let count = 0; count < 1_000; count += 1) {
      call();
      pass(60_000 / 7);
    }
  });

  test('does not count a refused call', () => {
    const { call, refusal, pass } = setUp({ rpmLimit: 1 });
    call();
    for (let count = 0; count < 50; count += 1) refusal();
    pass(60_000);
    call();
  });

  test('a refusal has the time after which the call is admitted', () => {
    const { call, refusal, pass } = setUp({ rpmLimit: 40 });
    for (let count = 0; count < 40; count += 1) call();
    const { status, type, headers } = refusal();
    expect({ status, type }).toEqual({ status: 429, type: 'rate_limit_error' });
    expect(headers).toEqual({ 'retry-after': '2', 'retry-after-ms': '1500' });
    pass(Number(headers['retry-after-ms']));
    call();
  });

  test('null selects the default tier', () => {
    const { call, headers } = setUp();
    call();
    expect(headers).toMatchObject({ 'x-ratelimit-limit-requests': 600, 'x-ratelimit-limit-concurrency': 20 });
  });

  test('counts each key separately', () => {
    const { call, refusal, enter } = setUp({ rpmLimit: 1 });
    call();
    refusal();
    enter({ keyId: 'key_2', rpmLimit: 1 } as Key);
  });

  test('the headers have the time until the limit is full again', () => {
    const { call, headers, pass } = setUp({ rpmLimit: 2 });
    call();
    expect(headers['x-ratelimit-reset-requests']).toBe('30s');
    call();
    expect(headers['x-ratelimit-reset-requests']).toBe('1m0s');
    pass(59_880);
    call();
    expect(headers['x-ratelimit-reset-requests']).toBe('31s');
  });
});

describe('concurrent requests', () => {
  test('count until their answer has ended', () => {
    const { enter, refusal, headers } = setUp({ concurrencyLimit: 2 });
    const leave = enter();
    enter();
    expect(headers['x-ratelimit-remaining-concurrency']).toBe(0);
    const { code, headers: told } = refusal();
    expect({ code, told }).toEqual({
      code: 'concurrency_limit_exceeded',
      told: { 'retry-after': '1', 'retry-after-ms': '1000' },
    });
    leave();
    enter();
  });

  test('a refusal does not count against the minute', () => {
    const { enter, refusal, headers } = setUp({ rpmLimit: 5, concurrencyLimit: 1 });
    enter();
    for (let count = 0; count < 10; count += 1) refusal();
    expect(headers['x-ratelimit-remaining-requests']).toBe(4);
  });

  test('the rate is checked first', () => {
    const { enter, refusal } = setUp({ rpmLimit: 1, concurrencyLimit: 1 });
    enter();
    expect(refusal().code).toBe('rate_limit_exceeded');
  });

  test('of followers are counted apart', () => {
    const { enter, refusal, use, headers } = setUp({ concurrencyLimit: 1 });
    use('follower');
    const leave = enter();
    expect(refusal().message).toContain('open event streams');
    use('call');
    enter();
    expect(headers['x-ratelimit-remaining-concurrency']).toBe(0);
    expect(refusal().message).toContain('requests in flight');
    leave();
    use('follower');
    enter();
  });

  test('that steer take no place, and count against the minute', () => {
    const { enter, refusal, use, headers } = setUp({ concurrencyLimit: 1, rpmLimit: 3 });
    enter();
    use('steering');
    enter();
    expect(headers).toMatchObject({ 'x-ratelimit-remaining-concurrency': 0, 'x-ratelimit-remaining-requests': 1 });
    enter();
    expect(refusal().code).toBe('rate_limit_exceeded');
  });

  test('survive the removal of idle keys', () => {
    const { enter, refusal, pass, key } = setUp({ rpmLimit: 100, concurrencyLimit: 1 });
    enter();
    pass(600_000);
    enter({ ...key, keyId: 'key_2' });
    expect(refusal().code).toBe('concurrency_limit_exceeded');
  });
});

test('setting the headers does not count a request', () => {
  const { limits, ctx, key, headers, call } = setUp({ rpmLimit: 10 });
  for (let count = 0; count < 20; count += 1) limits.setHeaders(ctx, key);
  call();
  expect(headers['x-ratelimit-remaining-requests']).toBe(9);
});

test.each([
  [0, '0ms'],
  [0.2, '1ms'],
  [120, '120ms'],
  [999.5, '1s'],
  [1_000, '1s'],
  [1_001, '2s'],
  [60_000, '1m0s'],
  [360_000, '6m0s'],
  [61_500, '1m2s'],
])('formats %d ms as %s', (spanMs, text) => {
  expect(durationText(spanMs)).toBe(text);
});

describe('keys below another one', () => {
  const below = (keyId: string, rpmLimit: number | null, above: LimitingKey): Key =>
    ({ keyId, rpmLimit, concurrencyLimit: null, limitedBy: [above] }) as unknown as Key;

  test('share what it is limited to, with it and with each other', () => {
    const { enter, key, headers, refusal } = setUp({ rpmLimit: 5, concurrencyLimit: 3 });
    const above = { keyId: key.keyId, rpmLimit: 5, concurrencyLimit: 3 };
    const [one, other] = [below('key_2', null, above), below('key_3', null, above)];
    const leave = [enter(), enter(one), enter(other)];
    expect(headers).toMatchObject({ 'x-ratelimit-limit-concurrency': 3, 'x-ratelimit-remaining-concurrency': 0 });
    for (const each of [one, other, key]) expect(refusal(each).code).toBe('concurrency_limit_exceeded');
    expect(refusal(one).message).toContain('a key that made this key');
    for (const end of leave) end();
    enter(one)();
    enter(other)();
    expect(headers).toMatchObject({ 'x-ratelimit-limit-requests': 5, 'x-ratelimit-remaining-requests': 0 });
    for (const each of [one, other, key]) expect(refusal(each).code).toBe('rate_limit_exceeded');
  });

  test('use up nothing of it when they are refused for their own limit', () => {
    const { enter, key, headers, refusal } = setUp({ rpmLimit: 5 });
    const noisy = below('key_2', 1, { keyId: key.keyId, rpmLimit: 5, concurrencyLimit: null });
    enter(noisy)();
    for (let count = 0; count < 10; count += 1) expect(refusal(noisy).message).toContain('Limit 1.');
    enter()();
    expect(headers['x-ratelimit-remaining-requests']).toBe(3);
  });

  test('take no place of one whose concurrency was not limited', () => {
    const { enter, key, headers, refusal } = setUp({ rpmLimit: 100 });
    const child = below('key_2', null, { keyId: key.keyId, rpmLimit: 100, concurrencyLimit: null });
    for (let count = 0; count < 20; count += 1) enter(child);
    expect(refusal(child).message).toContain('this key on requests in flight');
    enter();
    expect(headers).toMatchObject({
      'x-ratelimit-remaining-requests': 79,
      'x-ratelimit-remaining-concurrency': 19,
    });
  });
});
