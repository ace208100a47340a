import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../../../db/postgres/migrations.ts';
import { createBackup } from '../../../ops/stack/backup/createBackup.ts';
import { listBackups, pruneBackups } from '../../../ops/stack/backup/backups.ts';
import { restoreBackup } from '../../../ops/stack/backup/restoreBackup.ts';
import { type RunningPostgres, startPostgres } from '../../../ops/stack/postgres.ts';
import { type TestFolder, makeFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

const projectDir = join(import.meta.dirname, '..', '..', '..');
const stepTimeoutMs = 120_000;

let folder: TestFolder;
let dataDir: string;
let backupDir: string;
let running: RunningPostgres;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  dataDir = join(folder.path, 'data');
  backupDir = join(folder.path, 'backups');
  running = await start();
  await migrate(running.url, running.applicationUrl);
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await running.stop();
  await folder.remove();
});

const start = () =>
  startPostgres({ dataDir: join(dataDir, 'postgres'), archiveDir: join(backupDir, 'wal'), log: () => {} });

/** A process that bills calls until it is killed. `billed` has the answered ones. */
async function bill(): Promise<{ billed: string[]; kill: () => Promise<void> }> {
  const billed: string[] = [];
  const child = spawn(process.execPath, ['test/ops/stack/billingProcess.ts', running.applicationUrl], {
    cwd: projectDir,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  workers.push(child);
  createInterface({ input: child.stdout }).on('line', (id) => billed.push(id));
  await until(async () => billed.length > 20, { pollMs: 20, timeoutMs: stepTimeoutMs });
  return {
    billed,
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

/** The current part of the log. */
async function currentLogFile(): Promise<string> {
  const client = new Client(running.url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select pg_walfile_name(pg_current_wal_insert_lsn()) as name',
    );
    return rows[0]!.name;
  } finally {
    await client.end();
  }
}

/** The calls in the ledger: a restore posts pending ones. */
async function storedIds(): Promise<Set<string>> {
  const client = new Client(running.url);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('select id from requests');
    return new Set(rows.map(({ id }) => id));
  } finally {
    await client.end();
  }
}

const restore = (to?: Date) =>
  restoreBackup({ projectDir, environment: process.env, dataDir, backupDir, to, onProgress: () => {}, log: () => {} });

/** Calls that were billed in each stage, and the times between the stages. */
const stages: string[][] = [];
const times: Date[] = [];

/** The stages whose calls are all in the ledger; the others have none. */
async function storedStages(): Promise<number[]> {
  const stored = await storedIds();
  return stages.flatMap((ids, stage) => {
    const count = ids.filter((id) => stored.has(id)).length;
    expect([0, ids.length]).toContain(count);
    return count > 0 ? [stage] : [];
  });
}

/** The machine ends: no shutdown, and the last part of the log is not in the archive. */
async function killMachine(): Promise<void> {
  process.kill(running.pid, 'SIGKILL');
  await running.exited;
}

/** Pauses billing around this time, so that both sides of it are known. */
async function pass(): Promise<void> {
  await sleep(1_000);
  times.push(new Date());
  await sleep(100);
}

test('a backup under load needs no pause', async () => {
  const first = await bill();
  const count = first.billed.length;
  const { name } = await createBackup({ dataDir, backupDir });
  expect(first.billed.length).toBeGreaterThan(count);
  expect((await listBackups(backupDir)).map((backup) => backup.name)).toEqual([name]);
  await first.kill();
  stages.push(first.billed);
  for (const _ of [1, 2]) {
    await pass();
    const next = await bill();
    await next.kill();
    stages.push(next.billed);
  }
  await killMachine();
});

test.each([
  { to: 0, has: [0] },
  { to: 1, has: [0, 1] },
  { to: 0, has: [0] },
])(
  'a restore to a time has what was billed before it and nothing else, also after other restores: time $to',
  async ({ to, has }) => {
    await running.stop();
    const report = await restore(times[to]);
    expect(report).toContain('No rule is broken.');
    expect(report).toMatch(/To go back, .*\n.*cluster\.before-/);
    running = await start();
    expect(await storedStages()).toEqual(has);
  },
);

test('a disk that is lost in the second minute after a start costs at most the last minute', async () => {
  const { billed, kill } = await bill();
  const early = [...billed];
  const part = `${await currentLogFile()}.gz`;
  await until(async () => (await readdir(join(backupDir, 'wal'))).includes(part), {
    pollMs: 500,
    timeoutMs: 110_000,
  });
  await killMachine();
  await kill();
  await rm(dataDir, { recursive: true });
  expect(await restore()).toContain('No rule is broken.');
  running = await start();
  const stored = await storedIds();
  expect(early.filter((id) => !stored.has(id))).toEqual([]);
  expect(await storedStages()).toEqual([0]);
  // The unarchived part is lost.
  stages[0] = stages[0]!.concat(early);
});

test('a restore to the end has what was billed since, also after a kill that archived nothing', async () => {
  const { billed, kill } = await bill();
  await killMachine();
  await kill();
  expect(await restore()).toContain('No rule is broken.');
  running = await start();
  stages.push(billed);
  expect(await storedStages()).toEqual([0, 3]);
});

test('a damaged backup is refused, and changes nothing; old backups go with their log', async () => {
  const { name } = await createBackup({ dataDir, backupDir });
  await pruneBackups(backupDir, 1);
  expect((await listBackups(backupDir)).map((backup) => backup.name)).toEqual([name]);
  await running.stop();
  await appendFile(join(backupDir, name, 'cluster', 'PG_VERSION'), 'x');
  await expect(restore()).rejects.toThrow('PG_VERSION of the backup is damaged: nothing was changed.');
  await expect(restore(new Date(0))).rejects.toThrow('choose a later time');
  running = await start();
  expect((await storedIds()).size).toBeGreaterThan(20);
});
