import { expect, test } from '@jest/globals';
import { openUpload } from '../../../db/files/upload.ts';
import { newId } from '../../../db/ids.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { writeEntry } from '../../../db/sessions/addEntries.ts';
import { copySession } from '../../../db/sessions/copySession.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { until } from '../../support/until.ts';
import { openWorkspace, storeSession } from './sessionStage.ts';

const { db, workspaceId } = await openWorkspace();

/** Writes a file of a run into a session, in the place of its earlier content. */
async function write(sessionId: string, text: string): Promise<string> {
  const upload = await openUpload(db.write(workspaceId));
  await upload.write(Buffer.from(text));
  const bytes = await upload.end();
  const fileId = newId('file');
  const file = { parts: ['a.txt'], mediaType: 'text/plain', bytes, fileId };
  await db.write(workspaceId).transaction((tx) => writeEntry(tx, sessionId, file));
  return fileId;
}

const copy = (sessionId: string, at: Date) =>
  inTransaction(db.pool, (client) =>
    copySession(client, { workspaceId, sessionId, runId: newId('run'), at, withoutFileIds: [] }),
  );

test('copies of a session at the same time all keep its earlier contents', async () => {
  const sessionId = await storeSession(db, workspaceId);
  const fileId = await write(sessionId, 'one');
  const { rows } = await db.pool.query<{ at: Date }>(`select now() + interval '1 ms' as at`);
  await write(sessionId, 'two');
  const reader = await db.pool.connect();
  await reader.query('begin');
  await reader.query('select from files where id = $1 for share', [fileId]);
  const copies = Promise.allSettled([copy(sessionId, rows[0]!.at), copy(sessionId, rows[0]!.at)]);
  await until(async () => (await countLockWaits(db)) >= 2);
  await reader.query('commit');
  reader.release();
  expect((await copies).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  const kept = await db.pool.query('select expires_at from files where id = $1', [fileId]);
  expect(kept.rows).toEqual([{ expires_at: null }]);
});
