import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startChild } from '../../../../ops/stack/process/child.ts';
import { commandOf } from '../../../../ops/stack/preflight.ts';
import { until } from '../../../support/until.ts';

const childModule = fileURLToPath(new URL('../../../../ops/stack/process/child.ts', import.meta.url));
const quiet = { onStdout: () => {}, onStderr: () => {} };

test('a child ends when its parent is killed without a signal to it', async () => {
  const { parent, pid } = await startParent({ command: 'sleep', args: ['600'] });
  expect(await commandOf(pid)).toContain('sleep');
  parent.kill('SIGKILL');
  await until(async () => (await commandOf(pid)) === '');
});

test('a child that is frozen in a loop ends too when its parent is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerline-child-'));
  const loop = `process.on('SIGTERM', () => {}); require('fs').writeFileSync('${folder}/frozen', ''); for (;;);`;
  const { parent, pid } = await startParent({ command: process.execPath, args: ['-e', loop], orphanGraceMs: 1_000 });
  await until(() => existsSync(`${folder}/frozen`));
  parent.kill('SIGKILL');
  await until(async () => (await commandOf(pid)) === '');
  await rm(folder, { recursive: true });
});

/** A process that starts a child like the stack does. */
async function startParent(options: object) {
  const source = `
    const { startChild } = await import(${JSON.stringify(childModule)});
    const options = { ...${JSON.stringify(options)}, onStdout() {}, onStderr() {}, stopSignal: 'SIGTERM' };
    console.log((await startChild(options)).pid);`;
  const args = ['--input-type=module', '-e', source];
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return { parent, pid: Number(await firstLine(parent.stdout)) };
}

test('a child that ignores the shutdown signal is killed after its grace period', async () => {
  const lines: string[] = [];
  const child = await startChild({
    command: '/bin/sh',
    args: ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done'],
    ...quiet,
    onStdout: (line) => lines.push(line),
    stopSignal: 'SIGTERM',
  });
  await until(() => lines.includes('ready'));
  await child.stop(50);
  expect(await child.exited).toBe('was ended by SIGKILL');
});

test('stopping a child twice is harmless', async () => {
  const child = await startChild({ command: 'sleep', args: ['600'], ...quiet, stopSignal: 'SIGTERM' });
  await Promise.all([child.stop(120_000), child.stop(120_000)]);
  await child.stop(120_000);
  expect(await child.exited).toBe('was ended by SIGTERM');
});

test('a program that does not exist is an error and not a crash', async () => {
  const starting = startChild({ command: '/no/such/program', args: [], ...quiet, stopSignal: 'SIGTERM' });
  await expect(starting).rejects.toThrow('ENOENT');
});

function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: stream }).once('line', resolve);
  });
}
