import { afterAll, beforeAll } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres, type RunningPostgres } from '../../../ops/stack/postgres.ts';
import { testWhen } from '../../support/needs.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { expectSound, startLoad, untilRefused } from './databaseLoad.ts';
import { setMoneyStage, type MoneyStage } from '../stages/moneyStage.ts';

const run = promisify(execFile);
const rounds = 3;
const sharedServer = process.env.TEST_DATABASE_URL;
const disk = await mountDisk();
const testOnDisk = testWhen(disk, 'root, to mount a small disk');
let postgres: RunningPostgres;
let stage: MoneyStage;

/** A small disk in memory; undefined when this user may not create one. */
async function mountDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerline-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', folder]);
    return folder;
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
}

const start = () =>
  startPostgres({
    dataDir: join(disk!, 'data'),
    settings: { min_wal_size: '32MB', max_wal_size: '48MB' },
    log: () => {},
  });

beforeAll(async () => {
  if (disk === undefined) return;
  postgres = await start();
  process.env.TEST_DATABASE_URL = postgres.url;
  stage = await setMoneyStage({ start: startApiProcess });
});
afterAll(async () => {
  if (disk === undefined) return;
  await stage?.close();
  process.env.TEST_DATABASE_URL = sharedServer;
  await postgres?.stop();
  await run('umount', [disk]);
  await rm(disk, { recursive: true });
});

/** Fills the disk completely until it is released. */
async function fillDisk(): Promise<() => Promise<void>> {
  const path = join(disk!, 'filler');
  const filler = await open(path, 'w');
  const { bavail, bsize } = await statfs(disk!);
  await filler.write(Buffer.alloc(bavail * bsize));
  await filler.close();
  return () => rm(path);
}

testOnDisk.each(Array.from({ length: rounds }, (_, round) => round))(
  'a full database disk answers funded callers with 503 alone, then serves them again (round %i)',
  async () => {
    const account = await stage.account({ creditUsd: '100' });
    const load = startLoad(stage, account);
    await until(() => load.served() > 50);
    const free = await fillDisk();
    const asked = await untilRefused(stage, account);
    const refused = () => load.answers.filter(({ status }) => status === 503).length;
    await until(() => refused() > 100, { timeoutMs: 60_000 });
    await free();
    const servedBefore = load.served();
    await until(() => load.served() > servedBefore + 50, { timeoutMs: 60_000 });
    await load.stop();
    await expectSound(stage, account, [...load.answers, ...(await Promise.all(asked))]);
  },
);
