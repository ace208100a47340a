import { expect, test } from '@jest/globals';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLogFile } from '../../../../ops/stack/process/logFile.ts';
import { makeFolder } from '../../../support/folder.ts';
import { until } from '../../../support/until.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('only its owner may read a log, including one of an earlier version', async () => {
  const folder = await makeFolder();
  const [fresh, older] = ['fresh.log', 'older.log'].map((name) => join(folder.path, 'logs', name)) as [string, string];
  openLogFile(fresh)('a line');
  await writeFile(older, 'before\n');
  await chmod(older, 0o644);
  openLogFile(older)('a line');
  await until(async () => (await stat(fresh)).size > 0);
  expect([await modeOf(join(folder.path, 'logs')), await modeOf(fresh), await modeOf(older)]).toEqual([
    '700',
    '600',
    '600',
  ]);
  await folder.remove();
});
