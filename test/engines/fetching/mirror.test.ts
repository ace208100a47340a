import { afterAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { mirrored } from '../../../base/downloads.ts';
import { npmRegistry } from '../../../engines/config.ts';
import { fetchFiles } from '../../../engines/fetching/fetchFiles.ts';
import { makeFolder } from '../../support/folder.ts';

const FILE = Buffer.from('a model');
const requested: string[] = [];

const folder = await makeFolder();
const server = createServer((request, response) => {
  requested.push(request.url!);
  response.end(FILE);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.env.DOWNLOAD_MIRROR_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/`;
afterAll(async () => {
  delete process.env.DOWNLOAD_MIRROR_URL;
  server.close();
  await folder.remove();
});

const source = (sha256: string) => ({
  title: 'the model',
  files: [
    { name: 'model.bin', bytes: FILE.length, sha256, url: 'https://huggingface.co/maker/model/resolve/main/model.bin' },
  ],
  package: { name: 'there-is-no-such-package-of-python', version: '0.0.0' },
});
const work = () => ({ workDir: folder.path, onProgress: () => undefined, signal: AbortSignal.timeout(60_000) });

test('a file of a maker comes from the mirror, below the name of the maker’s host', async () => {
  const sha256 = createHash('sha256').update(FILE).digest('hex');
  const target = join(folder.path, 'whole');
  await expect(fetchFiles(source(sha256), target, work())).resolves.toBeUndefined();
  expect(requested).toEqual(['/files/huggingface.co/maker/model/resolve/main/model.bin']);
  expect(await readFile(join(target, 'model.bin'))).toEqual(FILE);
});

test('the releases of Temporal come from it too, and nothing changes without it', () => {
  const releases = 'https://github.com/temporalio/cli/releases/download';
  expect(mirrored(releases, 'https://mirror.example/')).toBe(
    'https://mirror.example/github.com/temporalio/cli/releases/download',
  );
  expect(mirrored(releases, undefined)).toBe(releases);
});

test('packages of npm come from npm’s registry where there is no npm, or from the one that is set', () => {
  expect(npmRegistry()).toBe('https://registry.npmjs.org');
  process.env.NPM_CONFIG_REGISTRY = 'https://npm.example/';
  try {
    expect(npmRegistry()).toBe('https://npm.example');
  } finally {
    delete process.env.NPM_CONFIG_REGISTRY;
  }
});
