import { describe, expect, test } from '@jest/globals';
import type { Context } from '../../../api/context.ts';
import { canonicalRange, fromAllowedAddress } from '../../../api/guard/allowedAddress.ts';

test.each([
  ['192.0.2.7', '192.0.2.7/32'],
  ['192.0.2.7/24', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['2001:db8:1:2::/32', '2001:db8::/32'],
  ['::ffff:192.0.2.7', '192.0.2.7/32'],
  ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
])('%s is stored as %s', async (text, kept) => {
  expect(await canonicalRange(text)).toBe(kept);
});

test.each([
  '',
  'localhost',
  '10.1',
  '0x7f.0.0.1',
  '2130706433',
  '010.0.0.1/8x',
  '192.0.2.0/33',
  '192.0.2.0/-1',
  '192.0.2.0/',
  '192.0.2.0/24/8',
  '2001:db8::/129',
  'fe80::1%eth0',
  '::ffff:192.0.2.0/80',
  '192.0.2.1:443',
])('%s is neither an address nor a range', async (text) => {
  expect(await canonicalRange(text)).toBeUndefined();
});

describe('the guard for allowed addresses', () => {
  const admits = (remoteAddress: string | undefined, allowed: string[]) => {
    const ctx = {
      req: { socket: { remoteAddress }, headers: {} },
      state: { trustedProxies: null },
    } as unknown as Context;
    return fromAllowedAddress(ctx, allowed, async () => {}).then(
      () => true,
      ({ code }: { code: string }) => code,
    );
  };

  test.each([
    ['192.0.2.7', ['192.0.2.0/24'], true],
    ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
    ['192.0.2.7', ['198.51.100.0/24', '192.0.2.7/32'], true],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['192.0.3.7', ['192.0.2.0/24'], 'ip_not_allowed'],
    ['2001:db9::5', ['2001:db8::/32'], 'ip_not_allowed'],
    ['192.0.2.7', ['2001:db8::/32'], 'ip_not_allowed'],
    ['2001:db8::5', ['0.0.0.0/0'], 'ip_not_allowed'],
    [undefined, ['0.0.0.0/0'], 'ip_not_allowed'],
  ])('decides a request from %s with the list %j: %s', async (from, allowed, outcome) => {
    expect(await admits(from, allowed)).toBe(outcome);
  });
});
