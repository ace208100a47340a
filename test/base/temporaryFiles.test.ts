import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { staleTempFiles, namePrefix } from '../../base/temporaryFiles.ts';

let folder: string;
let running: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'left-'));
  running = spawn('sleep', ['60']);
});
afterEach(async () => {
  running.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

async function leave(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}

test('only files of processes that no longer run count as stale', async () => {
  await leave(`${namePrefix('sandbox')}a`);
  await leave(`sandbox-${running.pid}-1-a`);
  await leave('sandbox-own-things');
  const { pid } = spawnSync('true');
  const gone = await leave(`sandbox-${pid}-1-a`);

  expect(staleTempFiles(folder, 'sandbox')).toEqual([gone]);
});

test('a restarted container finds the files of its predecessor, although the process id is the same', async () => {
  const before = await leave(`ledgerline-sound-${process.pid}-1-a`);

  expect(staleTempFiles(folder, 'ledgerline-sound')).toEqual([before]);
});

test('each kind is searched by its own name', async () => {
  const { pid } = spawnSync('true');
  await leave(`sandbox-${pid}-1-a`);
  const sound = await leave(`ledgerline-sound-${pid}-1-a`);

  expect(staleTempFiles(folder, 'ledgerline-sound')).toEqual([sound]);
});
