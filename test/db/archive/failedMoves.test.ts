import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { type ArchiveFiles, openArchiveFiles } from '../../../db/archive/archiveFiles.ts';
import { countArchivedMonths, listArchivedMonths } from '../../../db/archive/dueMonths.ts';
import { moveMonth } from '../../../db/archive/moveMonth.ts';
import { setTestDatabase } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { monthAgo } from './archiveStage.ts';

// The alert ArchiveFailing asks for a month that has failed for 90 minutes without a break, and each hour tries again.
const month = monthAgo(3);
const [db, folder] = await Promise.all([setTestDatabase({ spends: false }), makeFolder()]);
const files = openArchiveFiles({ folder: folder.path });

beforeEach(() => db.pool.query('delete from archive_moves'));
afterAll(async () => {
  await db.close();
  await folder.remove();
});

const failedMonths = async () =>
  (await countArchivedMonths(db.everywhere)).find(({ kind }) => kind === 'failed')?.count;
const failure = async () => (await listArchivedMonths(db.everywhere)).find((found) => found.month === month)?.error;

/** Moves the month; `before` runs before each object is stored. */
const move = (before: () => Promise<void>) => {
  const put: ArchiveFiles['store']['put'] = async (key, bytes) => {
    await before();
    await files.store.put(key, bytes);
  };
  const store = { ...files.store, put };
  return moveMonth({ everywhere: db.everywhere, files: { ...files, store }, holder: 'one' }, month);
};

test('a month that failed counts as failed while it is tried again, until it has moved', async () => {
  const full = move(() => Promise.reject(new Error('the store is full')));
  await expect(full).rejects.toThrow('the store is full');
  let whileTried: unknown;
  expect(await move(async () => void (whileTried = [await failedMonths(), await failure()]))).toBe('archived');
  expect(whileTried).toEqual([1, 'the store is full']);
  expect([await failedMonths(), await failure()]).toEqual([0, null]);
});

test('a month whose process died counts as failed once another process takes it, until it has moved', async () => {
  await db.pool.query(
    `insert into archive_moves (month, holder, held_until) values ($1, 'dead', now() - interval '1 second')`,
    [`${month}-01`],
  );
  let whileTried: unknown;
  expect(await move(async () => void (whileTried = [await failedMonths(), await failure()]))).toBe('archived');
  expect(whileTried).toEqual([1, 'the process that moved it ended without a result']);
  expect([await failedMonths(), await failure()]).toEqual([0, null]);
});
