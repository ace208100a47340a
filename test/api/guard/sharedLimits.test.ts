import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { openLimitStore, type Entry, type LimitStore } from '../../../api/guard/limitStore.ts';
import { findLimitsProgram, startLimitsServer } from '../../../ops/stack/limitsServer.ts';
import type { Child } from '../../../ops/stack/process/child.ts';
import { retime } from '../../support/clock.ts';
import { ask, chatBody, chatPath, setGuardStage, told, type GuardStage } from '../../support/guardStage.ts';
import { describeWhen } from '../../support/needs.ts';
import { steadyPort } from '../../support/network.ts';
import type { RunningApi } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';

const searchPath = process.env.PATH ?? '';
const describeWithServer = describeWhen(findLimitsProgram(searchPath), 'Valkey or Redis');
const lineageOf = (keyId: string) => ({ scopes: ['llm'], parentId: keyId, ancestors: [keyId], inTree: true });
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
    const port = wantedPort || (await steadyPort());
    const child = await startLimitsServer({ dataDir: folder, searchPath, port, log: () => {} });
    return { server: child, url: `redis://127.0.0.1:${port}` };
  }

  describe('the store', () => {
    let store: LimitStore;
    let changes: unknown[];
    let keyCount = 0;

    const openStore = async (options: { leaseMs?: number } = {}) => {
      const opened = await openLimitStore(url, (away) => changes.push(away), options);
      await until(() => opened.answers());
      return opened;
    };

    beforeAll(async () => {
      changes = [];
      store = await openStore();
    });
    // On a busy machine the server may answer later than a store waits.
    beforeEach(() => retime({ fromMs: 500, toMs: 60_000 }));
    afterEach(() => void jest.restoreAllMocks());
    afterAll(() => store.close());

    const entry = (more: Partial<Entry> = {}): Entry => ({
      keyId: `key_${keyCount}`,
      limitClass: 'call',
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
      store.free(held);
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
      // Half a minute is used then, which no slow machine gives back before the next request.
      expect((await take({ ...steering, rpm: 2 })).refusedBy).toBe(null);
      expect((await take({ ...steering, rpm: 1 })).refusedBy).toBe('rate');
    });

    test('frees the slots of a dead process when their lease expires', async () => {
      keyCount += 1;
      const dead = await openStore({ leaseMs: 2_000 });
      await dead.take(entry({ concurrency: 1 }));
      expect((await take({ concurrency: 1 })).refusedBy).toBe('concurrency');
      await until(async () => (await take({ concurrency: 1 })).refusedBy === null);
      await dead.close();
    });

    test('keeps a slot whose lease is renewed', async () => {
      keyCount += 1;
      const [kept, left] = [entry({ concurrency: 1 }), entry({ concurrency: 1, keyId: `key_${keyCount}_left` })];
      const open = () => openStore({ leaseMs: 3_000 });
      const [renewing, dead] = [await open(), await open()];
      await renewing.take(kept);
      await dead.take(left);
      const timer = setInterval(renewing.renew, 100);
      await until(async () => (await take(left)).refusedBy === null);
      expect((await take({ concurrency: 1 })).refusedBy).toBe('concurrency');
      clearInterval(timer);
      await Promise.all([renewing.close(), dead.close()]);
    });

    test('counts each of many requests at once as if it were alone', async () => {
      keyCount += 1;
      await take({ rpm: 60, concurrency: 5 });
      const startedAtMs = performance.now();
      const limitClasses = ['call', 'call', 'steering', 'call', 'steering', 'call', 'call'] as const;
      const taken = await Promise.all(limitClasses.map((limitClass) => take({ limitClass, rpm: 60, concurrency: 4 })));
      const elapsedMs = performance.now() - startedAtMs;
      const isRefused = taken.map(({ refusedBy }) => refusedBy);
      expect(isRefused).toEqual([null, null, null, null, null, 'concurrency', 'concurrency']);
      expect(taken.map(({ used }) => used.inFlight)).toEqual([2, 3, 3, 4, 4, 4, 4]);
      for (const [at, seconds] of [2, 3, 4, 5, 6, 6, 6].entries()) {
        expect(taken[at]!.used.backlogMs).toBeLessThanOrEqual(seconds * 1_000 + 0.001);
        expect(taken[at]!.used.backlogMs).toBeGreaterThan(seconds * 1_000 - elapsedMs - 1_000);
      }
    });

    test('releases slots that two processes hold, in any order', async () => {
      keyCount += 1;
      const other = await openStore();
      const held = entry({ concurrency: 4 });
      await Promise.all([store.take(held), other.take(held), store.take(held), other.take(held)]);
      expect((await take({ concurrency: 4 })).refusedBy).toBe('concurrency');
      // A release and a request of one moment.
      store.free(held);
      expect((await take({ concurrency: 4 })).used.inFlight).toBe(4);
      other.free(held);
      await other.close();
      expect((await take({ concurrency: 4 })).used.inFlight).toBe(4);
    });

    test('takes limits that a clock cannot measure', async () => {
      keyCount += 1;
      const limits = { rpm: 1_000_000_000, concurrency: 1_000_000_000 };
      const taken = await Promise.all(Array.from({ length: 1_000 }, () => take(limits)));
      expect(taken.map(({ used }) => used.inFlight)).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 1));
      expect(taken.every(({ refusedBy }) => refusedBy === null)).toBe(true);
    });

    test('sends the last releases before it closes', async () => {
      keyCount += 1;
      const other = await openStore();
      const held = entry({ concurrency: 1 });
      await other.take(held);
      other.free(held);
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

    test('share the limits of a key that has made others', async () => {
      const { secret, workspaceId, keyId } = await stage.account({ concurrencyLimit: 2 });
      const children = await Promise.all(
        [1, 2].map((at) => createKey(stage.db.everywhere, { ...lineageOf(keyId), workspaceId, name: `${at}` })),
      );
      const open = new AbortController();
      const streams = await Promise.all(
        children.map((child, at) => {
          const headers = { 'x-api-key': child.secret };
          return ask(apis[at]!.url, chatPath, { headers, body: endless(), signal: open.signal });
        }),
      );
      expect(streams.map(({ status }) => status)).toEqual([200, 200]);
      for (const one of [secret, ...children.map((child) => child.secret)]) {
        const refused = await ask(apis[0]!.url, chatPath, { headers: { 'x-api-key': one }, body: chatBody() });
        expect(refused.status).toBe(429);
        expect(refused.headers.get('x-ratelimit-limit-concurrency')).toBe('2');
        expect(refused.headers.get('x-ratelimit-remaining-concurrency')).toBe('0');
      }
      open.abort();
      const headers = { 'x-api-key': children[0]!.secret };
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
