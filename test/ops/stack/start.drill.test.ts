import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestFolder } from '../../support/folder.ts';
import { type Installation, type LaunchedStack, launchStack, makeDataFolder } from '../../support/startStack.ts';
import { findTestBinary } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

// The first start may have to fetch the model, and Temporal's program may have to be built.
const obtainTimeoutMs = 900_000;
const startTimeoutMs = 300_000;
const endTimeoutMs = 300_000;

let folder: TestFolder;
let running: LaunchedStack;
/** The first run, accepted before Temporal was up. */
let runUrl = '';
let key: string;

beforeAll(async () => {
  folder = await makeDataFolder();
  const env = { PATH: `${await makeSlowTemporal()}:${process.env.PATH}` };
  const onUp = async (installation: Installation) => {
    if (!installation.isWorking && installation.key) runUrl = await startRun(installation);
  };
  running = await launchStack(folder.path, { env, onUp });
}, obtainTimeoutMs);

afterAll(async () => {
  running?.process.kill('SIGINT');
  await until(async () => (await remaining()).length === 0, { pollMs: 50, timeoutMs: endTimeoutMs });
  await folder.remove();
});

/** A Temporal that takes long to start, as when it has to be built. */
async function makeSlowTemporal(): Promise<string> {
  const path = join(folder.path, 'slow');
  await mkdir(path);
  const binary = await findTestBinary();
  await writeFile(join(path, 'temporal'), `#!/bin/sh\nsleep 30\nexec '${binary}' "$@"\n`, { mode: 0o755 });
  return path;
}

async function startRun({ apiUrl, key: secret }: Installation): Promise<string> {
  const response = await fetch(`${apiUrl}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'idempotency-key': 'first-run' },
    body: JSON.stringify({ agent: 'ledgerline/writer', input: 'Write a line.', max_cost_usd: 0.05 }),
  });
  expect(response.status).toBe(202);
  const run = (await response.json()) as { id: string; status: string };
  expect(run.status).toBe('queued');
  return `${apiUrl}/v1/runs/${run.id}`;
}

test('the printed request works when pasted', async () => {
  expect(running.installation.modelComplaint).toBeUndefined();
  expect(running.installation.key).toMatch(/^sk_live_/);
  key = running.installation.key!;
  const command = running.lines.find((line) => line.startsWith('curl '))!;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command]);
  expect(JSON.parse(stdout)).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: expect.stringMatching(/\w/) } }],
  });
});

test("the README's first request works when pasted", async () => {
  const section = (await readFile('README.md', 'utf8')).split('## A first request')[1]!;
  const commands = /^```sh\n(.*?)^```/ms
    .exec(section)![1]!
    .replaceAll('http://127.0.0.1:4000', running.installation.apiUrl);
  const env = { ...process.env, DATA_DIR: folder.path };
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', commands], { env });
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', usage: { cost: expect.any(Number) } });
});

test("the key of the plugins' credentials is created, readable only by its owner, and never logged", async () => {
  const path = join(folder.path, 'pluginSecretsKey');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const made = (await readFile(path, 'utf8')).trim();
  expect(await readFile(join(folder.path, 'stack.env'), 'utf8')).toContain(`PLUGIN_SECRETS_KEY=${made}\n`);
  for (const name of ['api', 'worker', 'postgres', 'temporal', 'model']) {
    expect(await readFile(join(folder.path, 'logs', `${name}.log`), 'utf8')).not.toContain(made);
  }
});

test('a run that was accepted before Temporal was up completes afterwards', async () => {
  expect(running.installation.isWorking).toBe(false);
  const status = async () => {
    const response = await fetch(runUrl, { headers: { authorization: `Bearer ${running.installation.key}` } });
    return ((await response.json()) as { status: string }).status;
  };
  await until(async () => (await status()) === 'completed', { pollMs: 200, timeoutMs: startTimeoutMs });
});

test('the printed addresses answer', async () => {
  const { apiUrl, temporalUiUrl } = running.installation;
  for (const url of [`${apiUrl}/readyz`, `${apiUrl}/docs`, temporalUiUrl]) {
    expect({ url, status: (await fetch(url)).status }).toEqual({ url, status: 200 });
  }
});

test('a killed worker is restarted', async () => {
  const [first] = await processes(/worker\/main\.ts/);
  process.kill(Number(first!.pid), 'SIGKILL');
  await until(async () => (await workersStarted()) > 1, { pollMs: 50, timeoutMs: endTimeoutMs });
});

test('Ctrl-C, pressed twice, leaves no process behind', async () => {
  running.process.kill('SIGINT');
  running.process.kill('SIGINT');
  const [exitCode] = (await once(running.process, 'exit')) as [number | null];
  expect(exitCode).toBe(0);
  await until(async () => (await remaining()).length === 0, { pollMs: 50 });
});

test('a second start continues with the same data and shows no key again', async () => {
  running = await launchStack(folder.path);
  const { apiUrl, key: secondKey } = running.installation;
  expect(secondKey).toBeNull();
  expect(running.lines.join('\n')).not.toContain('sk_live_');
  const response = await fetch(`${apiUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
});

test('when it is killed itself, everything that it started ends too', async () => {
  running.process.kill('SIGKILL');
  await until(async () => (await remaining()).length === 0, { pollMs: 50, timeoutMs: endTimeoutMs });
});

async function workersStarted(): Promise<number> {
  const log = await readFile(join(folder.path, 'logs', 'worker.log'), 'utf8');
  return log.split('\n').filter((line) => line.includes('"event":"working"')).length;
}

const remaining = async () => (await processes(/./)).map(({ command }) => command);

/** Processes started with this test's data folder, by their command. Only Linux can list them. */
async function processes(pattern: RegExp): Promise<{ pid: string; command: string }[]> {
  if (platform() !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(pids.map(async (pid) => ({ pid, command: await commandIfOurs(pid) })));
  return found.filter(({ command }) => pattern.test(command));
}

async function commandIfOurs(pid: string): Promise<string> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  if (!environment.includes(`DATA_DIR=${folder.path}\0`)) return '';
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
}
