import { describe, expect, test } from '@jest/globals';
import { workerConfigOf } from '../../worker/config.ts';

const DATABASE_URL = 'postgres://127.0.0.1/ledgerline';

describe('SANDBOX_TIER', () => {
  test.each([
    ['quickjs', undefined],
    ['quickjs', ''],
    ['quickjs', 'quickjs'],
    ['bwrap', 'bwrap'],
    ['gvisor', 'gvisor'],
  ])('is %s when the environment says %j', (sandboxTier, SANDBOX_TIER) => {
    expect(workerConfigOf({ env: { DATABASE_URL, SANDBOX_TIER } })).toMatchObject({ sandboxTier });
  });

  test('is never chosen by the worker itself: a word that is no tier is refused by name', () => {
    expect(() => workerConfigOf({ env: { DATABASE_URL, SANDBOX_TIER: 'auto' } })).toThrow(/SANDBOX_TIER: .*"gvisor"/);
  });
});

test.each([undefined, 'mysql://127.0.0.1/x'])('DATABASE_URL is named when it is %j', (wrong) => {
  expect(() => workerConfigOf({ env: { DATABASE_URL: wrong } })).toThrow(
    'DATABASE_URL: must be an address like postgres://user:password@host/database',
  );
});
