import { afterAll, expect, test } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { backupGauges } from '../../worker/backupMetrics.ts';
import { setTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';

const [db, folder] = await Promise.all([setTestDatabase(), makeFolder()]);
afterAll(async () => {
  await Promise.all([db.close(), folder.remove()]);
});

const read = async () => Promise.all(backupGauges(db.everywhere, folder.path).map(async (gauge) => gauge.read()));

test('without a backup its age is infinite; of a database that archives nothing the log has no age', async () => {
  expect(await read()).toEqual([[{ labels: { kind: 'backup' }, value: Infinity }], []]);
});

test('the age is that of the newest finished backup', async () => {
  const now = new Date();
  const nameOf = (hours: number) =>
    `backup-${new Date(now.getTime() - hours * 3_600_000).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  for (const name of [nameOf(5), nameOf(3), `${nameOf(1)}.draft`, 'wal']) await mkdir(join(folder.path, name));
  const [ages] = await read();
  expect(Math.floor(ages![0]!.value / 3_600)).toBe(3);
});
