import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { type StackConfig, stackConfigOf } from '../../../ops/stack/config.ts';
import { preflight } from '../../../ops/stack/preflight.ts';
import { type TestFolder, makeFolder } from '../../support/folder.ts';

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

const configWith = (env: Record<string, string>): StackConfig =>
  stackConfigOf({ env: { DATA_DIR: folder.path, ...env } });

test('a port in use stops the start with a message that says how to choose another', async () => {
  const server = createServer();
  const port = await listen(server);
  try {
    await expect(preflight(configWith({ PORT: String(port) }))).rejects.toThrow(
      `Port ${port} is taken: end what listens there, or choose another one, as in PORT=${port + 1} npm start.`,
    );
  } finally {
    server.close();
  }
});

test.each([
  [{ FILES_STORED_IN: 'store' }, 'FILES_S3_URL: is not set, but FILES_STORED_IN is store'],
  [{ TEMPORAL_API_KEY: 'secret', TEMPORAL_TLS: 'off' }, 'TEMPORAL_TLS: must not be off with TEMPORAL_API_KEY'],
  [{ STRIPE_SECRET_KEY: 'sk_live_1' }, 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are set both or neither'],
  [{ TLS_CERT_FILE: '/none.pem', TLS_KEY_FILE: '/none.pem' }, 'TLS_CERT_FILE cannot be read: ENOENT'],
])('settings of a part that do not fit together stop the start before anything runs: %j', async (env, sentence) => {
  await expect(preflight(configWith({ PORT: '0', ...env }))).rejects.toThrow(sentence);
  expect(await readdir(folder.path)).toEqual([]);
});

test('what the start sets itself is not asked for', async () => {
  const env = { API_PROCESSES: '2', STRIPE_WEBHOOK_SECRET: 'whsec_1', TRUSTED_PROXIES: '127.0.0.1' };
  const { release } = await preflight(configWith({ PORT: '0', ...env }));
  await release();
});

test('an address of another machine stops the start with its own message', async () => {
  for (const host of ['192.0.2.1', 'no-such-host.invalid'])
    await expect(preflight(configWith({ PORT: '0', HOST: host }))).rejects.toThrow(
      `HOST: nothing can listen on ${host}`,
    );
});

test('a second start on the same data is refused while the first runs', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'ops/stack/main.ts'], {
    stdio: 'ignore',
  });
  try {
    await once(other, 'spawn');
    await writeFile(join(folder.path, 'stack.pid'), `${other.pid}\n`);
    await expect(preflight(configWith({ PORT: '0' }))).rejects.toThrow(`already running (process ${other.pid}`);
  } finally {
    other.kill('SIGKILL');
  }
});

test('files of a killed start do not stop the next one', async () => {
  await writeFile(join(folder.path, 'stack.pid'), `${process.ppid}\n`);
  const { release } = await preflight(configWith({ PORT: '0' }));
  await release();
});

test('a data folder that cannot be created stops the start with a message', async () => {
  const config = configWith({ PORT: '0', DATA_DIR: '/dev/null/data' });
  await expect(preflight(config)).rejects.toThrow(
    /^The folder \/dev\/null\/data cannot be made .*: set DATA_DIR to one/,
  );
});

test('a data folder in /proc stops the start at once', async () => {
  const config = configWith({ PORT: '0', DATA_DIR: '/proc/none/data' });
  await expect(preflight(config)).rejects.toThrow(/^The folder \/proc\/none\/data cannot be made .*: set DATA_DIR/);
});

test('a data folder is created with its parent folders', async () => {
  const { release } = await preflight(configWith({ PORT: '0', DATA_DIR: join(folder.path, 'a', 'b', 'c') }));
  await release();
  await expect(readdir(join(folder.path, 'a', 'b', 'c'))).resolves.toEqual([]);
});

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('other users cannot read the data folder, and existing folders keep their mode', async () => {
  const closed = process.getuid!() === 0 ? '711' : '700';
  const dataDir = join(folder.path, 'made');
  await (await preflight(configWith({ PORT: '0', DATA_DIR: dataDir }))).release();
  expect(await modeOf(dataDir)).toBe(closed);
  const older = join(folder.path, 'older');
  await mkdir(older, { mode: 0o755 });
  await chmod(older, 0o755);
  await (await preflight(configWith({ PORT: '0', DATA_DIR: older }))).release();
  expect(await modeOf(older)).toBe('755');
  await writeFile(join(older, 'stack.env'), '');
  await (await preflight(configWith({ PORT: '0', DATA_DIR: older }))).release();
  expect(await modeOf(older)).toBe(closed);
});
