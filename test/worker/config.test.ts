import { describe, expect, test } from '@jest/globals';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { workerConfigOf } from '../../worker/config.ts';

const DATABASE_URL = 'postgres://127.0.0.1/ledgerline';
const PLUGIN_SECRETS_KEY = createSealingKey();

describe('SANDBOX_TIER', () => {
  test.each([
    ['quickjs', undefined],
    ['quickjs', ''],
    ['quickjs', 'quickjs'],
    ['bwrap', 'bwrap'],
    ['gvisor', 'gvisor'],
  ])('is %s for the environment %j', (sandboxTier, SANDBOX_TIER) => {
    expect(workerConfigOf({ env: { DATABASE_URL, PLUGIN_SECRETS_KEY, SANDBOX_TIER } })).toMatchObject({ sandboxTier });
  });

  test('is never chosen by the worker: an unknown tier is refused by name', () => {
    expect(() => workerConfigOf({ env: { DATABASE_URL, PLUGIN_SECRETS_KEY, SANDBOX_TIER: 'auto' } })).toThrow(
      /SANDBOX_TIER: must be one of quickjs, bwrap, gvisor, not "auto"/,
    );
  });
});

test.each([
  [undefined, 'DATABASE_URL: is not set'],
  ['', 'DATABASE_URL: is not set'],
  ['mysql://127.0.0.1/x', 'DATABASE_URL: must be an address like postgres://user:password@host/database'],
])('an invalid DATABASE_URL is named: %j', (wrong, sentence) => {
  expect(() => workerConfigOf({ env: { DATABASE_URL: wrong } })).toThrow(sentence);
});

test.each([undefined, '', 'short', 'A'.repeat(44), `${PLUGIN_SECRETS_KEY},`, `${PLUGIN_SECRETS_KEY.slice(1)}!`])(
  'an invalid PLUGIN_SECRETS_KEY is named but not repeated: %j',
  (weak) => {
    expect(() => workerConfigOf({ env: { DATABASE_URL, PLUGIN_SECRETS_KEY: weak } })).toThrow(
      /^PLUGIN_SECRETS_KEY: must be 32 random bytes in base64, as `openssl rand -base64 32` prints them$/,
    );
  },
);

test('PLUGIN_SECRETS_KEY may contain older keys after the first', () => {
  const env = { DATABASE_URL, PLUGIN_SECRETS_KEY: `${PLUGIN_SECRETS_KEY}, ${createSealingKey()}` };
  expect(workerConfigOf({ env }).pluginKeys.isCurrent(workerConfigOf({ env }).pluginKeys.seal('x', 'y'))).toBe(true);
});
