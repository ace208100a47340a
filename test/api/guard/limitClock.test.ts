import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createClient } from '@redis/client';
import { openLimitStore } from '../../../api/guard/limitStore.ts';
import { findLimitsProgram, startLimitsServer } from '../../../ops/stack/limitsServer.ts';
import { retime } from '../../support/clock.ts';
import { describeWhen } from '../../support/needs.ts';
import { steadyPort } from '../../support/network.ts';
import { until } from '../../support/until.ts';

const searchPath = process.env.PATH ?? '';
const describeWithServer = describeWhen(findLimitsProgram(searchPath), 'Valkey or Redis');
const HOUR_MS = 3_600_000;

/** Moves all that the server has counted ahead by an hour, as if its clock had gone back by one since. */
async function turnBack(url: string): Promise<void> {
  const client = await createClient({ url }).connect();
  for (const key of await client.keys('ledgerline:rate:*'))
    await client.set(key, String(Number(await client.get(key)) + HOUR_MS));
  for (const key of await client.keys('ledgerline:slots:*')) {
    for (const [process, held] of Object.entries(await client.hGetAll(key))) {
      const [count, till] = held.split(' ');
      await client.hSet(key, process, `${count} ${Number(till) + HOUR_MS}`);
    }
    await client.persist(key);
  }
  await client.close();
}

describeWithServer('with a Valkey or Redis server whose clock goes back', () => {
  test('a key is not refused until the old time is reached, and its limits bind anew', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-limits-'));
    const port = await steadyPort();
    const server = await startLimitsServer({ dataDir, searchPath, port, log: () => {} });
    const url = `redis://127.0.0.1:${port}`;
    retime({ fromMs: 500, toMs: 60_000 });
    const [dead, store] = [await openLimitStore(url, () => {}), await openLimitStore(url, () => {})];
    await until(async () => (await dead.answers()) && (await store.answers()));
    const take = async (one: typeof store, keyId: string) =>
      (await one.take({ keyId, limitClass: 'call', rpm: 2, concurrency: keyId === 'slots' ? 1 : 9 }))?.refusedBy;
    expect([await take(store, 'rate'), await take(store, 'rate'), await take(store, 'rate')]).toEqual([
      null,
      null,
      'rate',
    ]);
    expect([await take(dead, 'slots'), await take(store, 'slots')]).toEqual([null, 'concurrency']);
    await turnBack(url);
    expect([await take(store, 'rate'), await take(store, 'rate'), await take(store, 'rate')]).toEqual([
      null,
      null,
      'rate',
    ]);
    expect([await take(store, 'slots'), await take(store, 'slots')]).toEqual([null, 'concurrency']);
    await Promise.all([dead.close(), store.close()]);
    await server.stop(5_000);
    await rm(dataDir, { recursive: true });
  });
});
