import { describe, expect, test } from '@jest/globals';
import { MISSING_ARCHIVE } from '../../../db/archive/missingArchive.ts';
import { readFileBytes, sessionFilesOf, saveRunFiles, type RunFileSave } from '../../../db/sessions/saveRunFiles.ts';
import { listEntries } from '../../../db/sessions/readEntries.ts';
import { createRows } from '../../../db/postgres/rows.ts';
import { openWorkspace, storeSession } from './sessionStage.ts';
import { makeAccount } from '../../support/account.ts';

const { db, workspaceId } = await openWorkspace();

const textFile = (path: string, text: string) => ({ path, bytes: Buffer.from(text), mediaType: 'text/plain' });

let steps = 0;
const saveIn = (sessionId: string, files: RunFileSave['files']): RunFileSave => ({
  sessionId,
  runId: 'run_1',
  stepId: `step_${(steps += 1)}`,
  files,
});

const filesOf = (sessionId: string) => sessionFilesOf(db.read(workspaceId), sessionId);

const textOf = async (fileId: string) => (await readFileBytes(db.read(workspaceId), fileId))?.toString();

const stateOf = async (sessionId: string) => {
  const page = await listEntries(db.read(workspaceId), { sessionId, parentId: null, after: null, limit: 100 });
  return { ...page.saving, generation: page.generation };
};

describe('the files of a run’s step', () => {
  test('are saved at their paths, with missing directories', async () => {
    const sessionId = await storeSession(db, workspaceId);
    const result = await saveRunFiles(
      db.write(workspaceId),
      saveIn(sessionId, [textFile('out/2026/a.txt', 'A'), textFile('out/b.txt', 'B')]),
    );
    const files = await filesOf(sessionId);
    expect(files.map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
      ['out/2026/a.txt', 1],
      ['out/b.txt', 1],
    ]);
    expect(result).toEqual({ outcome: 'saved', files });
    expect(await textOf(files[0]!.fileId)).toBe('A');
    expect(await stateOf(sessionId)).toMatchObject({ state: 'saved', recovery: 'none', lastCommittedGeneration: 2 });
  });

  test('replace files of that name, whose content stays readable by its id', async () => {
    const sessionId = await storeSession(db, workspaceId);
    await saveRunFiles(db.write(workspaceId), saveIn(sessionId, [textFile('a.txt', 'old')]));
    const [old] = await filesOf(sessionId);
    await saveRunFiles(db.write(workspaceId), saveIn(sessionId, [textFile('a.txt', 'newer')]));
    const [now] = await filesOf(sessionId);
    expect([now!.entryId, now!.fileId === old!.fileId]).toEqual([old!.entryId, false]);
    expect([await textOf(old!.fileId), await textOf(now!.fileId)]).toEqual(['old', 'newer']);
    const { rows } = await db.pool.query('select stored_bytes from sessions where id = $1', [sessionId]);
    expect(Number(rows[0].stored_bytes)).toBe(5);
  });

  test('are saved once, however often the step runs', async () => {
    const sessionId = await storeSession(db, workspaceId);
    const save = saveIn(sessionId, [textFile('a.txt', 'A')]);
    const results = await Promise.all(Array.from({ length: 10 }, () => saveRunFiles(db.write(workspaceId), save)));
    results.push(await saveRunFiles(db.write(workspaceId), save));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(await stateOf(sessionId)).toMatchObject({ state: 'saved', generation: 1 });
  });

  test('are returned as saved after a later step has replaced them', async () => {
    const sessionId = await storeSession(db, workspaceId);
    const save = saveIn(sessionId, [textFile('a.txt', 'first')]);
    const first = await saveRunFiles(db.write(workspaceId), save);
    await saveRunFiles(db.write(workspaceId), saveIn(sessionId, [textFile('a.txt', 'second')]));
    const again = await saveRunFiles(db.write(workspaceId), save);
    if (first.outcome !== 'saved' || again.outcome !== 'saved') throw new Error('not saved');
    expect(again.files[0]!.fileId).toBe(first.files[0]!.fileId);
    expect(await textOf((await filesOf(sessionId))[0]!.fileId)).toBe('second');
  });

  test('are saved all or none, and the refusal is final and shown', async () => {
    const sessionId = await storeSession(db, workspaceId);
    await saveRunFiles(db.write(workspaceId), saveIn(sessionId, [textFile('dir/a.txt', 'A')]));
    const save = saveIn(sessionId, [textFile('fine.txt', 'x'), textFile('dir', 'is a directory')]);
    const refused = { outcome: 'refused', error: { code: 'name_conflict', message: expect.any(String) } };
    expect(await saveRunFiles(db.write(workspaceId), save)).toEqual(refused);
    expect(await saveRunFiles(db.write(workspaceId), save)).toEqual(refused);
    expect((await filesOf(sessionId)).map(({ path }) => path)).toEqual(['dir/a.txt']);
    expect(await stateOf(sessionId)).toMatchObject({
      state: 'failed',
      recovery: 'none',
      error: { code: 'name_conflict', type: 'invalid_request_error', param: null },
      generation: 1,
    });
  });

  test("are refused when they exceed the session's storage", async () => {
    const sessionId = await storeSession(db, workspaceId);
    await db.pool.query('update sessions set stored_bytes = $2 where id = $1', [sessionId, 512 * 1024 * 1024 - 1]);
    const result = await saveRunFiles(db.write(workspaceId), saveIn(sessionId, [textFile('a.txt', 'two')]));
    expect(result).toMatchObject({ outcome: 'refused', error: { code: 'storage_limit_exceeded' } });
    expect(await stateOf(sessionId)).toMatchObject({ state: 'failed', generation: 0 });
  });

  test.each(['../a.txt', '/a.txt', 'a//b.txt', 'a/../b.txt', '', 'a\0b', 'a\u202eb'])(
    'cannot have the path %j',
    async (path) => {
      const sessionId = await storeSession(db, workspaceId);
      const result = await saveRunFiles(db.write(workspaceId), saveIn(sessionId, [textFile(path, 'x')]));
      expect(result).toMatchObject({ outcome: 'refused', error: { code: 'invalid_name' } });
    },
  );

  test('are saved by the retry when the database failed during the first attempt', async () => {
    const sessionId = await storeSession(db, workspaceId);
    const save = saveIn(sessionId, [textFile('a.txt', 'A'), textFile('b.txt', 'B')]);
    const pool = failingAt(db.pool, 'file_chunks_add');
    const away = createRows({ pool, reading: pool, archive: MISSING_ARCHIVE }).write(workspaceId);
    await expect(saveRunFiles(away, save)).rejects.toThrow('disk full');
    expect(await filesOf(sessionId)).toEqual([]);
    expect(await stateOf(sessionId)).toMatchObject({
      state: 'failed',
      recovery: 'required',
      error: { code: 'save_failed', type: 'api_error' },
    });
    expect(await saveRunFiles(db.write(workspaceId), save)).toMatchObject({ outcome: 'saved' });
    expect(await stateOf(sessionId)).toMatchObject({ state: 'saved', recovery: 'none', error: null });
    expect(await filesOf(sessionId)).toHaveLength(2);
  });

  test('are not visible to another workspace', async () => {
    const { workspaceId: otherId } = await makeAccount(db);
    const sessionId = await storeSession(db, workspaceId);
    await saveRunFiles(db.write(workspaceId), saveIn(sessionId, [textFile('a.txt', 'secret')]));
    const [file] = await filesOf(sessionId);
    expect(await sessionFilesOf(db.read(otherId), sessionId)).toEqual([]);
    expect(await readFileBytes(db.read(otherId), file!.fileId)).toBeUndefined();
    await expect(saveRunFiles(db.write(otherId), saveIn(sessionId, [textFile('b.txt', 'x')]))).rejects.toThrow(
      'No session',
    );
  });
});

/** The pool, except that the statement with this name fails. */
function failingAt(pool: typeof db.pool, name: string): typeof db.pool {
  return new Proxy(pool, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      if (member !== 'query') return value.bind(target) as unknown;
      return (first: { name?: string }, ...rest: unknown[]) => {
        if (first.name === name) return Promise.reject(new Error('disk full'));
        return Reflect.apply(value, target, [first, ...rest]) as unknown;
      };
    },
  });
}
