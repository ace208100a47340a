import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPages } from '../../../../ops/stack/builds/pages.ts';
import { until } from '../../../support/until.ts';

let projectDir: string;
let folder: string;
let notes: string[];

const build = () => buildPages({ projectDir, env: process.env, onProgress: (text) => void notes.push(text) });
const built = () => readFile(join(folder, 'dist', 'index.html'), 'utf8');

beforeEach(async () => {
  projectDir = await mkdtemp(join(tmpdir(), 'ledgerline-project-'));
  folder = join(projectDir, 'console');
  notes = [];
  await mkdir(join(folder, 'src'), { recursive: true });
  const described = { name: 'pages', version: '1.0.0', scripts: { build: 'node build.mjs' } };
  const lock = { name: 'pages', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { '': described } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(described));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
  await writeFile(
    join(folder, 'build.mjs'),
    `import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
     import { setTimeout as sleep } from 'node:timers/promises';
     const folder = process.argv[2];
     mkdirSync(folder, { recursive: true });
     appendFileSync(folder + '/index.html', readFileSync('src/page.txt', 'utf8'));
     writeFileSync('../started', '');
     while (existsSync('../hold')) await sleep(20);
     appendFileSync(folder + '/index.html', 'end');`,
  );
  await writeFile(join(folder, 'src', 'page.txt'), 'one ');
});
afterEach(() => rm(projectDir, { recursive: true }));

describe('the pages are built', () => {
  test('once for the same sources, and again when one has changed', async () => {
    expect(await build()).toBe(true);
    expect(notes[0]).toContain('Installing');
    expect(await build()).toBe(false);
    expect(await built()).toBe('one end');
    await writeFile(join(folder, 'src', 'page.txt'), 'two ');
    expect(await build()).toBe(true);
    expect(await built()).toBe('two end');
  });

  test('with the packages in the current lockfile', async () => {
    await build();
    const lockfile = join(folder, 'package-lock.json');
    await writeFile(lockfile, `${await readFile(lockfile, 'utf8')}\n`);
    await writeFile(join(folder, 'src', 'page.txt'), 'newer ');
    await build();
    expect(notes.filter((note) => note.includes('Installing'))).toHaveLength(2);
    await writeFile(join(folder, 'src', 'page.txt'), 'newest ');
    await build();
    expect(notes.filter((note) => note.includes('Installing'))).toHaveLength(2);
  });

  test('after a second installation, if the first one stalls', async () => {
    const npm = join(projectDir, 'npm.mjs');
    await writeFile(
      npm,
      `import { existsSync, mkdirSync } from 'node:fs';
       process.on('SIGTERM', () => {});
       if (process.argv[2] === 'run') mkdirSync(process.argv.at(-1), { recursive: true });
       else if (!existsSync('../flows')) setInterval(() => {}, 1000);`,
    );
    const onProgress = (text: string): void => {
      notes.push(text);
      if (text.includes('again')) writeFileSync(join(projectDir, 'flows'), '');
    };
    const env = { ...process.env, npm_execpath: npm };
    expect(await buildPages({ projectDir, env, onProgress, installLimitsMs: [100, 120_000] })).toBe(true);
    expect(notes[1]).toBe('The installation takes longer than 0.1 s: it is started again');
  });

  test('not from a lockfile that lacks a package, which the error names', async () => {
    const described = { name: 'pages', version: '1.0.0', dependencies: { icons: 'file:src' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(described));
    await expect(build()).rejects.toThrow(/Missing: icons@.* from lock file/);
  });

  test('by one process when several request it at once', async () => {
    const didBuild = await Promise.all([build(), build(), build()]);
    expect(didBuild.filter(Boolean)).toHaveLength(1);
    expect(await built()).toBe('one end');
    expect(existsSync(join(folder, '.building'))).toBe(false);
  });

  test('as a whole, by two processes that build at once because the lock of one was lost', async () => {
    await build();
    await writeFile(join(folder, 'src', 'page.txt'), 'two ');
    await rm(join(projectDir, 'started'));
    await writeFile(join(projectDir, 'hold'), '');
    const first = build();
    await until(() => existsSync(join(projectDir, 'started')));
    await rm(join(folder, '.building'), { recursive: true });
    await rm(join(projectDir, 'started'));
    const second = build();
    await until(() => existsSync(join(projectDir, 'started')));
    expect(await built()).toBe('one end');
    await rm(join(projectDir, 'hold'));
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(await built()).toBe('two end');
    expect((await readdir(folder)).filter((name) => name.startsWith('.building'))).toEqual([]);
  });

  test('or the reason is returned, and the next attempt starts again', async () => {
    await rm(join(folder, 'src', 'page.txt'));
    await expect(build()).rejects.toThrow(/npm run build in console\/ exited with code 1/);
    await writeFile(join(folder, 'src', 'page.txt'), 'three ');
    expect(await build()).toBe(true);
  });
});
