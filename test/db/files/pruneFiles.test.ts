import { describe, expect, test } from '@jest/globals';
import { openUpload } from '../../../db/files/upload.ts';
import { pruneFiles } from '../../../db/files/files.ts';
import { attachInputFiles } from '../../../db/sessions/addEntries.ts';
import { removeSession } from '../../../db/sessions/sessions.ts';
import { listEntries } from '../../../db/sessions/readEntries.ts';
import { saveRunFiles } from '../../../db/sessions/saveRunFiles.ts';
import { openWorkspace, storeFile, storeSession } from '../sessions/sessionStage.ts';

const { db, workspaceId } = await openWorkspace();

const expire = (id: string) =>
  db.pool.query(`update files set expires_at = now() - interval '1 s' where id = $1`, [id]);

async function countOf(id: string): Promise<{ files: number; chunks: number }> {
  const { rows } = await db.pool.query(
    `select (select count(*)::int from files where id = $1) as files, (select count(*)::int from file_chunks where file_id = $1) as chunks`,
    [id],
  );
  return rows[0];
}

const gone = { files: 0, chunks: 0 };

async function prune(): Promise<void> {
  while ((await pruneFiles(db.everywhere)) > 0);
}

describe('the sweep of files', () => {
  test('removes expired files with their bytes, and nothing else', async () => {
    const [expired, kept] = [await storeFile(db, workspaceId), await storeFile(db, workspaceId)];
    await expire(expired);
    await prune();
    expect([await countOf(expired), await countOf(kept)]).toEqual([gone, { files: 1, chunks: 1 }]);
  });

  test('removes an expired file from its session', async () => {
    const sessionId = await storeSession(db, workspaceId);
    const fileId = await storeFile(db, workspaceId);
    await db.write(workspaceId).transaction((tx) => attachInputFiles(tx, { sessionId, fileIds: [fileId] }));
    await expire(fileId);
    const list = () => listEntries(db.read(workspaceId), { sessionId, parentId: null, after: null, limit: 10 });
    expect(await list()).toMatchObject({ entries: [], generation: 1 });
    await prune();
    expect(await list()).toMatchObject({ entries: [], generation: 2 });
    const { rows } = await db.pool.query('select stored_bytes from sessions where id = $1', [sessionId]);
    expect([Number(rows[0].stored_bytes), await countOf(fileId)]).toEqual([0, gone]);
  });

  test('removes the unfinished upload of a dead process, but not of a live one', async () => {
    const upload = await openUpload(db.write(workspaceId));
    await upload.write(Buffer.alloc(300_000, 'x'));
    const { rows } = await db.pool.query(`select id from files where filename = ''`);
    const id = rows[0].id as string;
    await prune();
    expect(await countOf(id)).toEqual({ files: 1, chunks: 1 });
    await expire(id);
    await prune();
    expect(await countOf(id)).toEqual(gone);
  });

  test('removes the bytes of a deleted session', async () => {
    const sessionId = await storeSession(db, workspaceId);
    const file = { path: 'a.txt', bytes: Buffer.from('x'), mediaType: 'text/plain' };
    const saved = await saveRunFiles(db.write(workspaceId), { sessionId, runId: 'run_1', stepId: 's', files: [file] });
    if (saved.outcome !== 'saved') throw new Error('not saved');
    await removeSession(db.write(workspaceId), sessionId);
    await prune();
    expect(await countOf(saved.files[0]!.fileId)).toEqual(gone);
  });
});
