import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openLimitStore, type Entry, type LimitStore } from '../../../api/guard/limitStore.ts';
import { findLimitsProgram, startLimitsServer } from '../../../ops/stack/limitsServer.ts';
import type { Child } from '../../../ops/stack/process/child.ts';
import { ask, chatBody, chatPath, setGuardStage, told, type GuardStage } from '../../support/guardStage.ts';
import { describeWhen } from '../../support/needs.ts';
import type { RunningApi } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';

const searchPath = process.env.PATH ?? '';
const describeWithServer = describeWhen(findLimitsProgram(searchPath), 'Valkey or Redis');
const endless = () => chatBody({ stream: true, messages: told({ fault: 'endless', delayMs: 20 }) });

describeWithServer('with a Valkey or Redis server', () => {
  let folder: string;
  let server: Child;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ledgerline-limits-'));
    ({ server, url } = await startServer(0));
  });
  afterAll(async () => {
    await server?.stop(5_000);
    await rm(folder, { recursive: true });
  });

  async function startServer(wantedPort: number) {
    const port = wantedPort || (await freePort());
    const child = await startLimitsServer({ dataDir: folder, searchPath, port, log: () => {} });
    return { server: child, url: `redis://127.0.0.1:${port}` };
  }

  describe('the store', () => {
    let store: LimitStore;
    let changes: unknown[];
    let keyCount = 0;

    beforeAll(async () => {
      changes = [];
      store = await openLimitStore(url, (away) => changes.push(away));
    });
    afterAll(() => store.close());

    const entry = (more: Partial<Entry> = {}): Entry => ({
      keyId: `key_${keyCount}`,
      limitClass: 'call',
      slotId: `slot_${Math.random()}`,
      leaseMs: 10_000,
      rpm: 1_000,
      concurrency: 1_000,
      ...more,
    });
    const take = async (more: Partial<Entry> = {}) => (await store.take(entry(more)))!;

    test("admits exactly a minute's requests at once, whatever the limit", async () => {
      for (const rpm of [1, 3, 7, 60, 77, 997]) {
        keyCount += 1;
        const startedAtMs = performance.now();
        const taken = await Promise.all(Array.from({ length: rpm + 100 }, () => take({ rpm })));
        const passed = taken.filter(({ refusedBy }) => refusedBy === null).length;
        const dripped = ((performance.now() - startedAtMs) * rpm) / 60_000;
        expect(passed).toBeGreaterThanOrEqual(rpm);
        expect(passed).toBeLessThanOrEqual(rpm + dripped);
        expect(Math.max(...taken.map(({ used }) => used.backlogMs))).toBeLessThanOrEqual(60_000.001);
      }
    });

    test('counts slots until they are released', async () => {
      keyCount += 1;
      const held = entry({ concurrency: 2 });
      await store.take(held);
      expect((await take({ concurrency: 2 })).used.inFlight).toBe(2);
      expect(await take({ concurrency: 2 })).toMatchObject({ refusedBy: 'concurrency', used: { inFlight: 2 } });
      await store.free(held, held.slotId);
      expect(await take({ concurrency: 2 })).toMatchObject({ refusedBy: null, used: { inFlight: 2 } });
    });

    test('counts followers apart, and what steers not at all', async () => {
      keyCount += 1;
      for (const limitClass of ['call', 'follower'] as const) {
        expect(await take({ limitClass, concurrency: 1 })).toMatchObject({ refusedBy: null, used: { inFlight: 1 } });
        expect((await take({ limitClass, concurrency: 1 })).refusedBy).toBe('concurrency');
      }
      const steering = { limitClass: 'steering' as const, concurrency: 1 };
      expect(await take(steering)).toMatchObject({ refusedBy: null, used: { inFlight: 1 } });
      expect(await take(steering)).toMatchObject({ refusedBy: null, used: { inFlight: 1 } });
      expect((await take({ ...steering, rpm: 1 })).refusedBy).toBe('rate');
    });

    test('frees the slots of a dead process when their lease expires', async () => {
      keyCount += 1;
      await take({ concurrency: 1, leaseMs: 300 });
      expect((await take({ concurrency: 1 })).refusedBy).toBe('concurrency');
      await until(async () => (await take({ concurrency: 1 })).refusedBy === null);
    });

    test('keeps a slot whose lease is renewed', async () => {
      keyCount += 1;
      const held = entry({ concurrency: 1, leaseMs: 300 });
      const left = { ...held, keyId: `${held.keyId}_left` };
      await store.take(held);
      await store.take(left);
      await store.renew(new Map([[held.slotId, held]]), 60_000);
      await until(async () => (await take(left)).refusedBy === null);
      expect((await take({ concurrency: 1 })).refusedBy).toBe('concurrency');
    });

    test('sends the last releases before it closes', async () => {
      keyCount += 1;
      const other = await openLimitStore(url, (away) => changes.push(away));
      const held = entry({ concurrency: 1 });
      await other.take(held);
      void other.free(held, held.slotId);
      await other.close();
      expect((await take({ concurrency: 1 })).refusedBy).toBeNull();
    });

    test('returns the usage without counting', async () => {
      keyCount += 1;
      const startedAtMs = performance.now();
      await take({ rpm: 60 });
      for (let count = 0; count < 5; count += 1) await store.look(`key_${keyCount}`);
      const used = (await store.look(`key_${keyCount}`))!;
      expect(used.inFlight).toBe(1);
      expect(used.backlogMs).toBeGreaterThanOrEqual(Math.max(0, 999 - (performance.now() - startedAtMs)));
      expect(used.backlogMs).toBeLessThanOrEqual(1_000);
      expect(changes).toEqual([]);
    });
  });

  describe('two API processes', () => {
    let stage: GuardStage;
    let apis: RunningApi[];

    beforeAll(async () => {
      stage = await setGuardStage({ env: { LIMITS_REDIS_URL: url } });
      apis = [stage.api, await stage.startAnother()];
    });
    afterAll(() => stage?.close());

    const linesWith = (text: string) => apis.map(({ lines }) => lines.filter((line) => line.includes(text)).length);
    const awayLines = () => linesWith('their store is away');

    async function read(api: RunningApi, secret: string): Promise<number> {
      return (await ask(api.url, '/v1/models', { headers: { 'x-api-key': secret } })).status;
    }

    /** Waits until each process has reconnected to the server after an outage. */
    async function bothShare(): Promise<void> {
      const { secret } = await stage.account();
      await until(async () => {
        for (const api of apis) await read(api, secret);
        return awayLines().join() === linesWith('limits are shared again').join();
      });
    }

    test('share the limit of requests per minute', async () => {
      await bothShare();
      const { secret } = await stage.account({ rpmLimit: 10 });
      const startedAtMs = performance.now();
      const statuses = await Promise.all(Array.from({ length: 40 }, (_, index) => read(apis[index % 2]!, secret)));
      const dripped = Math.floor((performance.now() - startedAtMs) / 6_000);
      const passed = statuses.filter((status) => status === 200).length;
      expect(passed).toBeGreaterThanOrEqual(10);
      expect(passed).toBeLessThanOrEqual(10 + dripped);
    });

    test('share the limit of concurrent requests', async () => {
      const { secret } = await stage.account({ concurrencyLimit: 2 });
      const headers = { 'x-api-key': secret };
      const open = new AbortController();
      const streams = await Promise.all(
        apis.map(({ url }) => ask(url, chatPath, { headers, body: endless(), signal: open.signal })),
      );
      expect(streams.map(({ status }) => status)).toEqual([200, 200]);
      for (const { url } of apis) expect((await ask(url, chatPath, { headers, body: chatBody() })).status).toBe(429);
      open.abort();
      await until(async () => (await ask(apis[1]!.url, chatPath, { headers, body: chatBody() })).status === 200);
    });

    test('count alone while the server is down, without refusals, log it once, and share again', async () => {
      await bothShare();
      const { secret } = await stage.account({ rpmLimit: 4 });
      const burst = (api: RunningApi) => Promise.all(Array.from({ length: 6 }, () => read(api, secret)));
      const port = Number(new URL(url).port);
      const linesBefore = awayLines();
      await server.stop(5_000);
      const statuses = [await burst(apis[0]!), await burst(apis[1]!)].map((list) => list.toSorted((a, b) => a - b));
      expect(statuses).toEqual([
        [200, 200, 200, 200, 429, 429],
        [200, 200, 200, 200, 429, 429],
      ]);
      await until(() => awayLines().every((count, index) => count === linesBefore[index]! + 1));
      ({ server } = await startServer(port));
      await bothShare();
      expect(awayLines()).toEqual(linesBefore.map((count) => count + 1));
    });

    test('continue while the server hangs', async () => {
      await bothShare();
      const { secret } = await stage.account();
      const headers = { 'x-api-key': secret };
      const linesBefore = awayLines();
      process.kill(server.pid, 'SIGSTOP');
      try {
        for (let count = 0; count < 20; count += 1)
          expect((await ask(apis[count % 2]!.url, chatPath, { headers, body: chatBody() })).status).toBe(200);
      } finally {
        process.kill(server.pid, 'SIGCONT');
      }
      await until(() => awayLines().every((count, index) => count > linesBefore[index]!));
    });
  });
});

async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  holder.close();
  return port;
}

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
