import { describe, expect, test } from '@jest/globals';
import { attachInputFiles } from '../../../db/sessions/addEntries.ts';
import { sessionFilesOf } from '../../../db/sessions/saveRunFiles.ts';
import { makeAccount } from '../../support/account.ts';
import { openWorkspace, storeFile, storeSession } from './sessionStage.ts';

const { db, workspaceId } = await openWorkspace();

const attach = (sessionId: string, fileIds: string[]) =>
  db.write(workspaceId).transaction((tx) => attachInputFiles(tx, { sessionId, fileIds }));

const pathsOf = async (sessionId: string) =>
  (await sessionFilesOf(db.read(workspaceId), sessionId)).map(({ path }) => path);

describe('the files of a run’s input', () => {
  test('are added to its session, each once and under a unique name', async () => {
    const sessionId = await storeSession(db, workspaceId);
    const [one, two, three] = [
      await storeFile(db, workspaceId, { filename: 'a.csv' }),
      await storeFile(db, workspaceId, { filename: 'a.csv' }),
      await storeFile(db, workspaceId, { filename: 'a.csv' }),
    ];
    const attached = await attach(sessionId, [one, two, one]);
    expect(attached.map(({ fileId, name }) => [fileId, name])).toEqual([
      [one, 'a.csv'],
      [two, 'a (2).csv'],
    ]);
    expect(await attach(sessionId, [two, three])).toMatchObject([attached[1], { fileId: three, name: 'a (3).csv' }]);
    expect(await pathsOf(sessionId)).toEqual(['a (2).csv', 'a (3).csv', 'a.csv']);
  });

  test('are all refused when one is unknown or of another workspace', async () => {
    const { workspaceId: otherId } = await makeAccount(db);
    const sessionId = await storeSession(db, workspaceId);
    const mine = await storeFile(db, workspaceId);
    for (const id of ['file_none', await storeFile(db, otherId)])
      await expect(attach(sessionId, [mine, id])).rejects.toMatchObject({ code: 'file_not_found' });
    expect(await pathsOf(sessionId)).toEqual([]);
  });

  test("are refused when they exceed the session's storage", async () => {
    const sessionId = await storeSession(db, workspaceId);
    await db.pool.query('update sessions set stored_bytes = $2 where id = $1', [sessionId, 512 * 1024 * 1024 - 6]);
    const files = [await storeFile(db, workspaceId), await storeFile(db, workspaceId)];
    await expect(attach(sessionId, files)).rejects.toMatchObject({ code: 'storage_limit_exceeded' });
    expect(await attach(sessionId, files.slice(0, 1))).toHaveLength(1);
  });
});
