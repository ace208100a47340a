import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { keepSecret, readEnvironmentFile, writeEnvironmentFile } from '../../../ops/stack/environmentFile.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('a secret is created once, and only its owner may read it', async () => {
  const path = join(folder.path, 'secret');
  expect(await keepSecret(path, () => 'first')).toBe('first');
  expect(await keepSecret(path, () => 'second')).toBe('first');
  expect(await readFile(path, 'utf8')).toBe('first\n');
  expect(await modeOf(path)).toBe('600');
});

test('an existing secret that cannot be read is not replaced', async () => {
  const path = join(folder.path, 'secret');
  await mkdir(path);
  await expect(keepSecret(path, () => 'second')).rejects.toThrow('EISDIR');
});

test('the addresses of an installation are read back, and only its owner may read them', async () => {
  const path = join(folder.path, 'stack.env');
  await writeEnvironmentFile(path, { DATABASE_URL: 'postgres://a', TEMPORAL_ADDRESS: undefined });
  expect(readEnvironmentFile(folder.path)).toEqual({ DATABASE_URL: 'postgres://a' });
  expect(await modeOf(path)).toBe('600');
});
