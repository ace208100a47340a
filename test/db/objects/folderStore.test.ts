import { afterAll, expect, test } from '@jest/globals';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolderStore } from '../../../db/objects/folderStore.ts';
import { makeFolder } from '../../support/folder.ts';

const folder = await makeFolder();
afterAll(() => folder.remove());

test('an object replaces what a killed process had written of it, and touches no other', async () => {
  const month = join(folder.path, 'archive/2026-08');
  await mkdir(month, { recursive: true });
  const draft = (name: string) => `${name}.3f8c2a9e-6a57-4c53-9c6b-0f2d1f6f7a11`;
  const others = [draft('requests-0002.parquet'), draft('requests-0001.parquet.parquet'), 'requests-0001.parquet.old'];
  for (const name of [draft('requests-0001.parquet'), ...others]) await writeFile(join(month, name), 'half');
  await createFolderStore(folder.path).put('archive/2026-08/requests-0001.parquet', Buffer.from('whole'));
  expect((await readdir(month)).toSorted()).toEqual(['requests-0001.parquet', ...others].toSorted());
});
