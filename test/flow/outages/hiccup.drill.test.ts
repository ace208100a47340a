import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy } from '../../support/network.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { expectSound, failuresIn, startLoad } from './databaseLoad.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

// As often as a load balancer that is in a hurry.
const LOOK_EVERY_MS = 250;

const stage = await setMoneyStage({ apis: 0, start: startApiProcess });
const network = await startProxy(new URL(stage.databaseUrl).host);
const throughNetwork = new URL(stage.databaseUrl);
throughNetwork.host = network.address;
await stage.startAnother({ DATABASE_URL: throughNetwork.href });
afterAll(async () => {
  network.resume();
  await stage.close();
  await network.stop();
});

const statusOf = async (path: string): Promise<number> => (await fetch(stage.urls()[0]! + path)).status;

/** Looks at readiness and liveness again and again. */
function startLooking() {
  const ready: number[] = [];
  const live: number[] = [];
  const ending = new AbortController();
  const look = async () => {
    while (!ending.signal.aborted) {
      const [readiness, liveness] = await Promise.all([statusOf('/readyz'), statusOf('/healthz')]);
      ready.push(readiness);
      live.push(liveness);
      await sleep(LOOK_EVERY_MS);
    }
  };
  const looking = look();
  return {
    ready,
    live,
    stop: async (): Promise<void> => {
      ending.abort();
      await looking;
    },
  };
}

/** Stalls the database for this long under load, and goes on until it serves again. */
async function stall(stallMs: number) {
  const account = await stage.account({ creditUsd: '100' });
  const load = startLoad(stage, account);
  await until(() => load.served() > 50);
  const looks = startLooking();
  network.pause();
  await sleep(stallMs);
  network.resume();
  const servedBefore = load.served();
  await until(() => load.served() > servedBefore + 50);
  await until(async () => (await statusOf('/readyz')) === 200);
  await looks.stop();
  await load.stop();
  await expectSound(stage, account, load.answers);
  return { failures: [...failuresIn(load.answers)], ...looks };
}

test.each([0, 1, 2])('a database that stalls for a second refuses no call and stays ready (round %i)', async () => {
  const { failures, ready, live } = await stall(1_000);
  expect(failures).toEqual([]);
  expect(new Set(ready)).toEqual(new Set([200]));
  expect(new Set(live)).toEqual(new Set([200]));
});

test('one that stalls for ten seconds takes a live process out of service, and it comes back', async () => {
  const { ready, live } = await stall(10_000);
  // Ready, then not, then ready: no other change.
  const changes = ready.filter((status, at) => status !== ready[at - 1]);
  expect(changes).toEqual([200, 503, 200]);
  expect(new Set(live)).toEqual(new Set([200]));
});
