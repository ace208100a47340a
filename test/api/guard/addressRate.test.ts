import { expect, test } from '@jest/globals';
import type { Context } from '../../../api/context.ts';
import { addressRate } from '../../../api/guard/addressRate.ts';

const contextOf = (remoteAddress: string) =>
  ({ req: { socket: { remoteAddress }, headers: {} }, state: { trustedProxies: null } }) as unknown as Context;

test('a network may ask so often in a minute, and others are not affected', async () => {
  let nowMs = 1_000_000;
  const limit = addressRate(3, () => nowMs);
  let passed = 0;
  const ask = async (from = '192.0.2.1') => {
    try {
      await limit(contextOf(from), async () => void (passed += 1));
      return 200;
    } catch (error) {
      return error as { status: number; headers: Record<string, string> };
    }
  };
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200]);
  expect(await ask()).toMatchObject({ status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '20' } });
  expect(await ask('198.51.100.7')).toBe(200);
  // All in one network.
  for (const host of ['1', '2', '3']) expect(await ask(`2001:db8:1:2::${host}`)).toBe(200);
  expect(await ask('2001:db8:1:2::4')).toMatchObject({ status: 429 });
  expect(passed).toBe(7);
  nowMs += 20_000;
  expect([await ask(), (await ask()) === 200]).toEqual([200, false]);
});
