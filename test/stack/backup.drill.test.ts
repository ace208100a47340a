import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../../db/postgres/migrations.ts';
import { createBackup } from '../../stack/backup/createBackup.ts';
import { listBackups, pruneBackups } from '../../stack/backup/backups.ts';
import { restoreBackup } from '../../stack/backup/restoreBackup.ts';
import { type RunningPostgres, startPostgres } from '../../stack/postgres.ts';
import { type TestFolder, makeFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const projectDir = join(import.meta.dirname, '..', '..');
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
}, stepTimeoutMs);
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await running.stop();
  await folder.remove();
});

const start = () =>
  startPostgres({ dataDir: join(dataDir, 'postgres'), archiveDir: join(backupDir, 'wal'), log: () => {} });

/** A process that bills calls until it is killed. `billed` are those that were answered. */
async function bill(): Promise<{ billed: string[]; kill: () => Promise<void> }> {
  const billed: string[] = [];
  const child = spawn(process.execPath, ['test/stack/billingProcess.ts', running.applicationUrl], {
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

/** The calls that the ledger has: a restore posts what was on the way. */
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

let before: string[];
let after: string[];
let between: Date;

test(
  'a backup under load needs no pause',
  async () => {
    const first = await bill();
    const count = first.billed.length;
    const { name } = await createBackup({ dataDir, backupDir });
    expect(first.billed.length).toBeGreaterThan(count);
    expect((await listBackups(backupDir)).map((backup) => backup.name)).toEqual([name]);
    await first.kill();
    before = first.billed;
    // Nothing is billed around this time, so that both sides of it are known.
    await sleep(1_000);
    between = new Date();
    await sleep(100);
    const second = await bill();
    // The machine ends: no shutdown, and the last part of the log is not in the archive.
    process.kill(running.pid, 'SIGKILL');
    await running.exited;
    await second.kill();
    after = second.billed;
    expect(after.length).toBeGreaterThan(10);
  },
  stepTimeoutMs,
);

test(
  'a restore to a time has every call that was billed before it, and none after it, and the ledger is sound',
  async () => {
    expect(await restore(between)).toContain('No rule is broken.');
    running = await start();
    const stored = await storedIds();
    expect(before.filter((id) => !stored.has(id))).toEqual([]);
    expect(after.filter((id) => stored.has(id))).toEqual([]);
    expect((await readdir(join(dataDir, 'postgres'))).some((name) => name.startsWith('cluster.before-'))).toBe(true);
  },
  stepTimeoutMs,
);

test(
  'a restore to the end has what was billed since, also after a kill that archived nothing',
  async () => {
    const { billed, kill } = await bill();
    process.kill(running.pid, 'SIGKILL');
    await running.exited;
    await kill();
    expect(await restore()).toContain('No rule is broken.');
    running = await start();
    const stored = await storedIds();
    expect([...before, ...billed].filter((id) => !stored.has(id))).toEqual([]);
    expect(after.filter((id) => stored.has(id))).toEqual([]);
  },
  stepTimeoutMs,
);

test(
  'a damaged backup is refused, and changes nothing; old backups go with their log',
  async () => {
    const { name } = await createBackup({ dataDir, backupDir });
    await pruneBackups(backupDir, 1);
    expect((await listBackups(backupDir)).map((backup) => backup.name)).toEqual([name]);
    await running.stop();
    await appendFile(join(backupDir, name, 'cluster', 'PG_VERSION'), 'x');
    await expect(restore()).rejects.toThrow('PG_VERSION of the backup is damaged: nothing was changed.');
    await expect(restore(new Date(0))).rejects.toThrow('choose a later time');
    running = await start();
    expect((await storedIds()).size).toBeGreaterThan(20);
  },
  stepTimeoutMs,
);
