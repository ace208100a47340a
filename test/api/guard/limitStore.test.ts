import { expect, test } from '@jest/globals';
import { openLimitStore } from '../../../api/guard/limitStore.ts';

test('the start fails with an error that names the variable when its address is invalid', async () => {
  const { readApiConfig } = await import('../../../api/config.ts');
  const env = { DATABASE_URL: 'postgres://x', LIMITS_REDIS_URL: 'localhost:6379' };
  expect(() => readApiConfig(env)).toThrow(/LIMITS_REDIS_URL/);
});

test('a process starts without its server and counts alone', async () => {
  const changes: unknown[] = [];
  const store = await openLimitStore('redis://127.0.0.1:9', (away) => changes.push(away));
  const entry = {
    limitClass: 'call' as const,
    keyId: 'key_1',
    slotId: 'slot_1',
    leaseMs: 1_000,
    rpm: 1,
    concurrency: 1,
  };
  expect(await store.take(entry)).toBeUndefined();
  expect(await store.take(entry)).toBeUndefined();
  expect(changes).toHaveLength(1);
  await store.close();
});
