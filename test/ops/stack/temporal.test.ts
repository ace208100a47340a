import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseTemporalPorts } from '../../../ops/stack/temporal.ts';
import { type TestFolder, makeFolder } from '../../support/folder.ts';

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

test.each([false, true])(
  'only its owner may enter the folder of its database; it is there already: %s',
  async (isThere) => {
    const dataDir = join(folder.path, 'temporal');
    if (isThere) await mkdir(dataDir, { mode: 0o755 });
    await chooseTemporalPorts(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  },
);
