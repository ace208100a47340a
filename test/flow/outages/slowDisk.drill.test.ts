import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type RunningPostgres } from '../../../ops/stack/postgres.ts';
import { describeWhen } from '../../support/needs.ts';
import { mountSlowDisk } from '../../support/slowDisk.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { expectSound, failuresIn, startLoad } from './databaseLoad.ts';
import { setMoneyStage, type MoneyStage } from '../stages/moneyStage.ts';

const AWAY_MS = 15_000;
const sharedServer = process.env.TEST_DATABASE_URL;
const disk = await mountSlowDisk();
const describeWithDisk = describeWhen(disk, 'root, and a kernel with control groups for disks');

describeWithDisk('a database whose disk is slow', () => {
  let postgres: RunningPostgres;
  let stage: MoneyStage;

  beforeAll(async () => {
    const settings = { min_wal_size: '32MB', max_wal_size: '64MB' };
    postgres = await startPostgres({ dataDir: `${disk!.folder}/data`, settings, log: () => {} });
    await disk!.place(postgres.pid);
    process.env.TEST_DATABASE_URL = postgres.url;
    stage = await setMoneyStage({ start: startApiProcess });
  });
  afterAll(async () => {
    await disk!.quicken();
    await stage?.close();
    process.env.TEST_DATABASE_URL = sharedServer;
    await postgres?.stop();
    await disk!.remove();
  });

  /** A load before, during and after the slow disk. */
  async function loadWhile(bytesPerSecond: number, act: (load: ReturnType<typeof startLoad>) => Promise<unknown>) {
    const account = await stage.account({ creditUsd: '100' });
    const load = startLoad(stage, account);
    const untilServed = async (calls: number) => {
      const before = load.served();
      await until(() => load.served() > before + calls, { timeoutMs: 120_000 });
    };
    await untilServed(50);
    await disk!.slow(bytesPerSecond);
    const before = load.answers.length;
    await act(load);
    const during = load.answers.slice(before);
    await disk!.quicken();
    await untilServed(50);
    await load.stop();
    await expectSound(stage, account, load.answers);
    return during;
  }

  // A commit takes tenths of a second, as on a disk that others use too.
  test('serves on, with calls that wait for their bills', async () => {
    const during = await loadWhile(60_000, async (load) => {
      const before = load.served();
      await until(() => load.served() > before + 50, { timeoutMs: 120_000 });
    });
    expect(during.filter(({ status }) => status === 200).length).toBeGreaterThan(50);
    expect([...failuresIn(during)]).toEqual([]);
  });

  // A commit takes longer than every time limit.
  test('refuses with 503 what it cannot write in time, and is served again', async () => {
    const during = await loadWhile(500, () => sleep(AWAY_MS));
    console.info(JSON.stringify({ calls: during.length, failures: [...failuresIn(during)] }));
    expect(failuresIn(during)).toContain('503 overloaded');
  });
});
