import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { createClient } from '@redis/client';
import { openLimitStore } from '../../../api/guard/limitStore.ts';
import { findLimitsProgram, startLimitsServer } from '../../../ops/stack/limitsServer.ts';
import { describeWhen } from '../../support/needs.ts';
import { steadyPort } from '../../support/network.ts';
import { productGlobal } from '../../support/productRealm.ts';
import { until } from '../../support/until.ts';

const searchPath = process.env.PATH ?? '';
const describeWithServer = describeWhen(findLimitsProgram(searchPath), 'Valkey or Redis');

const ANSWER_WAIT_MS = 500;

/** The waits for an answer of the server from now on, in their order. Each is over when the test calls it. */
function heldWaits(): (() => void)[] {
  const waits: (() => void)[] = [];
  const original = productGlobal.setTimeout;
  const held = (callback: () => void, ms?: number, ...args: []) => {
    if (ms !== ANSWER_WAIT_MS) return original(callback, ms, ...args);
    waits.push(callback);
    return original(() => {}, ms);
  };
  jest.spyOn(productGlobal, 'setTimeout').mockImplementation(held);
  return waits;
}

/** A way to the server, which keeps its answers while they are held. */
async function startHolding(port: number) {
  let held: (() => void)[] | undefined;
  const way = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    client.on('error', () => {}).pipe(server.on('error', () => {}));
    client.once('close', () => server.destroy());
    server.on('data', (bytes) => {
      const pass = () => void client.write(bytes);
      if (held) held.push(pass);
      else pass();
    });
  });
  await once(way.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `redis://127.0.0.1:${(way.address() as AddressInfo).port}`,
    hold: () => void (held = []),
    pass: () => {
      for (const pass of held ?? []) pass();
      held = undefined;
    },
    close: () => way.close(),
  };
}

describeWithServer('with a Valkey or Redis server', () => {
  test('a request that waits behind an answered one is counted alone when another one has got no answer', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-limits-'));
    const port = await steadyPort();
    const server = await startLimitsServer({ dataDir, searchPath, port, log: () => {} });
    const way = await startHolding(port);
    const store = await openLimitStore(way.url, () => {});
    const take = (keyId: string) => store.take({ keyId, limitClass: 'call', rpm: 1_000, concurrency: 10 });
    await until(async () => (await take('late'))?.refusedBy === null);
    way.hold();
    const waits = heldWaits();
    const late = take('late');
    await until(() => waits.length === 1);
    const answered = take('slow');
    await until(() => waits.length === 2);
    const waiting = take('slow');
    waits[0]!();
    expect(await late).toBeUndefined();
    way.pass();
    expect(await answered).toMatchObject({ refusedBy: null });
    expect(await waiting).toBeUndefined();
    jest.restoreAllMocks();
    await store.close();
    way.close();
    await server.stop(5_000);
    await rm(dataDir, { recursive: true });
  });

  test('a server that takes no writes is told as away: each process counts alone, until it takes them again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-limits-'));
    const port = await steadyPort();
    const server = await startLimitsServer({ dataDir, searchPath, port, log: () => {} });
    const url = `redis://127.0.0.1:${port}`;
    const store = await openLimitStore(url, () => {});
    const operator = await createClient({ url }).connect();
    await until(() => store.answers());
    await operator.configSet('maxmemory', '1');
    expect(await store.answers()).toBe(false);
    expect(await store.take({ keyId: 'full', limitClass: 'call', rpm: 1_000, concurrency: 10 })).toBeUndefined();
    await operator.configSet('maxmemory', '0');
    await until(() => store.answers());
    operator.destroy();
    await store.close();
    await server.stop(5_000);
    await rm(dataDir, { recursive: true });
  });

  test('a server that refuses the password is told once, after the closed connection', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-limits-'));
    const port = await steadyPort();
    const server = await startLimitsServer({ dataDir, searchPath, port, log: () => {} });
    const changes: unknown[] = [];
    const operator = await createClient({ url: `redis://127.0.0.1:${port}` }).connect();
    await operator.configSet('requirepass', 'old');
    const store = await openLimitStore(`redis://:old@127.0.0.1:${port}`, (away) => changes.push(away));
    await until(() => store.answers());
    await operator.configSet('requirepass', 'new');
    await operator.sendCommand(['CLIENT', 'KILL', 'SKIPME', 'yes', 'TYPE', 'normal']);
    const refusals = async () => (await operator.aclLog()).reduce((sum, { count }) => sum + count, 0);
    await until(async () => (await refusals()) >= 3);
    expect(changes).toHaveLength(2);
    expect(changes[1]).toMatchObject({ message: expect.stringContaining('WRONGPASS') });
    await operator.configSet('requirepass', 'old');
    await until(() => store.answers());
    operator.destroy();
    await store.close();
    await server.stop(5_000);
    await rm(dataDir, { recursive: true });
  });
});
