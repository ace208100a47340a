import { afterAll, describe, expect, test } from '@jest/globals';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres, type RunningPostgres } from '../../../ops/stack/postgres.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { steadyPort } from '../../support/network.ts';
import { repetitions } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { expectSound, startLoad, untilRefused } from './databaseLoad.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

const kills = repetitions(10);
const restarts = repetitions(3);
const sharedServer = process.env.TEST_DATABASE_URL;
let postgres: RunningPostgres;

const start = () => startPostgres({ dataDir: folder, port, log: () => {} });

// A separate server, because it will be killed.
const folder = await mkdtemp(join(tmpdir(), 'ledgerline-killed-'));
await chmod(folder, 0o755);
const port = await steadyPort();
postgres = await start();
process.env.TEST_DATABASE_URL = postgres.url;
const stage = await setMoneyStage({ start: startApiProcess });
afterAll(async () => {
  await stage.close();
  process.env.TEST_DATABASE_URL = sharedServer;
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The server and all its processes: busy sessions could outlive their server and continue serving. */
async function killDatabase(): Promise<void> {
  const { rows } = await stage.db.pool.query('select pid from pg_stat_activity');
  for (const pid of [postgres.pid, ...rows.map((row) => row.pid as number)]) killIfThere(pid);
  await postgres.exited;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

/** Terminates random connections of all processes, many times in a row. */
async function cutConnections(times: number): Promise<void> {
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  for (let cut = 0; cut < times; cut += 1) {
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend' and random() < 0.3`,
    );
    await sleep(50);
  }
  await owner.end();
}

/** Serves under load, loses its database, gets it back, and serves again. */
async function surviveOutage(takeAway: () => Promise<void>): Promise<void> {
  const account = await stage.account({ creditUsd: '100' });
  const load = startLoad(stage, account);
  await until(() => load.served() > 50);
  await takeAway();
  const asked = await untilRefused(stage, account);
  postgres = await start();
  const servedBefore = load.served();
  await until(() => load.served() > servedBefore + 50);
  await load.stop();
  await expectSound(stage, account, [...load.answers, ...(await Promise.all(asked))]);
}

const nothingBut503 = 'meets nothing but 503 while the database';

describe('a funded caller', () => {
  test.each(Array.from({ length: kills }, (_, round) => round))(
    `${nothingBut503} is dead, and is served again (round %i)`,
    () => surviveOutage(killDatabase),
  );

  test.each(Array.from({ length: restarts }, (_, round) => round))(
    `${nothingBut503} restarts in good order, and is served again (round %i)`,
    () => surviveOutage(() => postgres.stop()),
  );

  test('is served again after connections to the database were cut at random', async () => {
    const account = await stage.account({ creditUsd: '100' });
    const load = startLoad(stage, account);
    await until(() => load.served() > 50);
    await cutConnections(30);
    const servedBefore = load.served();
    await until(() => load.served() > servedBefore + 100);
    await load.stop();
    await expectSound(stage, account, load.answers);
  });
});

test('is still served by the same process, which never crashed', () => {
  expect(stage.running).toHaveLength(1);
  expect(stage.running[0]!.lines.filter((line) => line.includes('"msg":"crashed"'))).toEqual([]);
});
