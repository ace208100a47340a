import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { program, runCommand } from '../../../../ops/stack/process/program.ts';

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

test('a part that starts slowly is waited for, and the operator is told', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'slow-'));
  const source = `import { existsSync } from 'node:fs';
    setInterval(() => existsSync('told') && console.log('{"event":"working"}'), 20);`;
  await writeFile(join(cwd, 'slow.mjs'), source);
  const said: string[] = [];
  const say = (text: string) => {
    said.push(text);
    void writeFile(join(cwd, 'told'), '');
  };
  const ready = { event: 'working' };
  const place = { cwd, env: process.env, sources: [], isWatched: false, log: () => {} };
  const part = program({ name: 'The worker', script: 'slow.mjs', ready, say, lateMs: 20, graceMs: 1_000, ...place });
  const running = await part.start(new AbortController().signal);
  await running.stop();
  await rm(cwd, { recursive: true });
  expect(new Set(said)).toEqual(new Set(['The worker is still starting']));
});
