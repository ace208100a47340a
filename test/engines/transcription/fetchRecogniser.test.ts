import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fetchRecogniser } from '../../../engines/transcription/pocketsphinx.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';

// Reports the recogniser as installed, and installs it into the folder after `--target`.
const PYTHON = `#!/bin/sh
if [ "$1" = -c ]; then test -e "$PYTHONPATH/installed"; exit; fi
while [ "$1" != --target ]; do shift; done
touch "$2/installed"
`;

let folder: TestFolder;
let place: string;
const searchPath = process.env.PATH;

beforeEach(async () => {
  folder = await makeFolder();
  place = join(folder.path, 'data', 'pocketsphinx');
  await mkdir(join(folder.path, 'bin'));
  await writeFile(join(folder.path, 'bin', 'python3'), PYTHON, { mode: 0o755 });
  process.env.PATH = `${join(folder.path, 'bin')}:${searchPath}`;
});
afterEach(async () => {
  process.env.PATH = searchPath;
  await folder.remove();
});

const fetching = () => fetchRecogniser({ dataDir: join(folder.path, 'data'), onProgress: () => {} });
const placed = async () => (await stat(place)).ino;

test("concurrent fetches of the recogniser keep the first one's files, and nothing else", async () => {
  const several = Array.from({ length: 4 }, fetching);
  await Promise.race(several);
  const first = await placed();
  const found = await Promise.all(several);
  expect(new Set(found.map(({ env }) => env.PYTHONPATH))).toEqual(new Set([place]));
  expect(await placed()).toBe(first);
  expect(await readdir(join(folder.path, 'data'))).toEqual(['pocketsphinx']);
});

test('a defective recogniser is replaced', async () => {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'broken'), '');
  await fetching();
  expect(await readdir(place)).toEqual(['installed']);
});
