import { execFile } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { readSources } from '../../support/sources.ts';

// Backups have commands beside options and a usage of their own.
const OTHERS = ['base/commandLine.ts', 'ops/stack/backup/main.ts'];

test('each program of the repository reads its options in one place', () => {
  const reading = readSources().filter(
    ({ path, text }) => !/^(clients|console)\b/.test(path) && /\bparseArgs\(/.test(text),
  );
  expect(
    reading
      .map(({ path }) => path)
      .filter((path) => !path.endsWith('.test.ts'))
      .toSorted(),
  ).toEqual(OTHERS);
});

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode!, stdout, stderr });
    });
  });
}

const MAIN = 'ops/stack/main.ts';

test('a program shows its usage, and refuses an unknown option with it and without a stack trace', async () => {
  const [help, unknown] = await Promise.all([run(MAIN, '--help'), run(MAIN, '--nonsense')]);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^Usage: npm start/);
  expect(unknown).toEqual({ code: 2, stdout: '', stderr: `Unknown option '--nonsense'\n\n${help.stdout}` });
});

test('an area that the bench does not have is named with those that it has', async () => {
  const { code, stderr } = await run('ops/bench/main.ts', '--only', 'nope');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^--only nope: no such area\. There are .*chat.*\n\nUsage: npm run bench/);
});
