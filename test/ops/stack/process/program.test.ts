import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { program, runCommand } from '../../../../ops/stack/process/program.ts';
import { makeFolder } from '../../../support/folder.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

test('a database that does not answer is named by place and reason, without its password', async () => {
  const env = { ...process.env, DATABASE_URL: 'postgres://someone:hush@127.0.0.1:1/ledgerline' };
  const failure = runCommand(['db/migrate.ts'], root, env);
  await expect(failure).rejects.toThrow(
    'node db/migrate.ts failed: DATABASE_URL: the database at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1',
  );
  await expect(failure).rejects.not.toThrow('hush');
});

test('the error is found between its source line and its cause', async () => {
  const script = 'throw new RangeError("too far", { cause: new TypeError("no place") })';
  const failure = runCommand(['--input-type=module', '-e', script], root, process.env);
  await expect(failure).rejects.toThrow('node --input-type=module -e ' + script + ' failed: RangeError: too far');
});

const place = { env: process.env, sources: [], isWatched: false, log: () => {}, say: () => {}, graceMs: 1_000 };

async function partOf(source: string, ready: { event: string; url?: string }, more: object = {}) {
  const folder = await makeFolder();
  const { path: cwd } = folder;
  await writeFile(join(cwd, 'part.mjs'), source);
  return { folder, part: program({ name: 'The part', script: 'part.mjs', ready, cwd, ...place, ...more }) };
}

test('a part that starts slowly is waited for, and the operator is told', async () => {
  const source = `import { existsSync } from 'node:fs';
    setInterval(() => existsSync('told') && console.log('{"event":"working"}'), 20);`;
  const said: string[] = [];
  const say = (text: string) => {
    said.push(text);
    void writeFile(join(folder.path, 'told'), '');
  };
  const { folder, part } = await partOf(source, { event: 'working' }, { say, lateMs: 20 });
  const running = await part.start(new AbortController().signal);
  await running.stop();
  await folder.remove();
  expect(new Set(said)).toEqual(new Set(['The part is still starting']));
});

test('a part whose port another program has taken does not start, although that one answers', async () => {
  const other = createServer((_, response) => response.end('I am here.')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const source = `import { createServer } from 'node:net';
    setTimeout(() => createServer().listen(${port}, '127.0.0.1', () => process.send({ event: 'listening' })), 200);`;
  const ready = { event: 'listening', url: `http://127.0.0.1:${port}/readyz` };
  const { folder, part } = await partOf(source, ready);
  await expect(part.start(new AbortController().signal)).rejects.toThrow(
    `it exited with code 1 (Error: listen EADDRINUSE: address already in use 127.0.0.1:${port})`,
  );
  other.close();
  await folder.remove();
});

test('a part whose log leaves out that it is ready is up when it tells so', async () => {
  const { folder, part } = await partOf(`process.send({ event: 'working' }); setInterval(() => {}, 1_000);`, {
    event: 'working',
  });
  const running = await part.start(new AbortController().signal);
  await running.stop();
  await folder.remove();
  expect(await running.exited).toBe('was ended by SIGTERM');
});
