import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy } from '../../support/network.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { expectSound, startLoad, untilRefused } from './databaseLoad.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

const leaseMs = 4_000;
// Statements time out after six seconds: earlier ones still arrive when the network recovers.
const apartMs = 9_000;

const stage = await setMoneyStage({ apis: 0, start: startApiProcess, env: { LEDGER_LEASE_MS: String(leaseMs) } });
const network = await startProxy(new URL(stage.databaseUrl).host);
const throughNetwork = new URL(stage.databaseUrl);
throughNetwork.host = network.address;
await stage.startAnother({ DATABASE_URL: throughNetwork.href });
afterAll(async () => {
  network.resume();
  await stage.close();
  await network.stop();
});

test.each([0, 1])(
  'a network partition longer than the lease loses no bill and bills nothing twice (round %i)',
  async () => {
    const account = await stage.account({ creditUsd: '100' });
    const load = startLoad(stage, account);
    await until(() => load.served() > 50, { timeoutMs: 60_000 });
    network.pause();
    const asked = await untilRefused(stage, account);
    await sleep(apartMs);
    // All other processes treat it as dead, and end its calls.
    expect((await stage.db.ledger.reap()).holdsReleased).toBeGreaterThan(0);
    network.resume();
    const servedBefore = load.served();
    await until(() => load.served() > servedBefore + 50, { timeoutMs: 60_000 });
    await load.stop();
    await expectSound(stage, account, [...load.answers, ...(await Promise.all(asked))]);
  },
);
