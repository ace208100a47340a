import { afterAll, describe, expect, test } from '@jest/globals';
import { pruneFiles } from '../../../db/files/files.ts';
import { saveRunFiles } from '../../../db/sessions/saveRunFiles.ts';
import { codeOf } from '../../support/guardStage.ts';
import { read, setFileStage, type EntryBody, type FileBody } from '../../support/fileStage.ts';

const stage = await setFileStage();
afterAll(() => stage.close());

interface RevisionBody {
  id: string;
  is_current: boolean;
  file: FileBody;
  created_at: string;
}

const pathOf = (id: string, entryId: string) => `/v1/sessions/${id}/files/${entryId}`;

const namesIn = async (id: string, query = '') => (await stage.listing(id, query)).data.map(({ name }) => name);

describe('the listing of a session’s files', () => {
  test('of an empty session has every member', async () => {
    expect(await stage.listing(await stage.newSession())).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
      directory_generation: 0,
      save_state: 'saved',
      save_error: null,
      save_operation: null,
      busy: false,
      max_file_bytes: 25 * 1024 * 1024,
      storage_limit_bytes: 512 * 1024 * 1024,
    });
  });

  test('shows files and directories with their paths, one directory at a time', async () => {
    const id = await stage.newSession();
    const reports = await stage.addDirectory(id, 'reports');
    const year = await stage.addDirectory(id, '2026', reports.id);
    const file = await stage.addFile(id, 'a,b\n', 'q1.csv', year.id);
    expect(file).toEqual({
      id: expect.stringMatching(/^ent_[0-9A-Za-z]+$/),
      session_id: id,
      parent_id: year.id,
      name: 'q1.csv',
      path: 'reports/2026/q1.csv',
      kind: 'file',
      file: {
        id: expect.stringMatching(/^file_/),
        object: 'file',
        purpose: 'agent_input',
        filename: 'q1.csv',
        media_type: 'text/csv',
        size_bytes: 4,
        created_at: expect.any(String),
        expires_at: null,
      },
      revision_id: expect.stringMatching(/^rev_/),
      updated_at: expect.any(String),
    });
    expect(year).toMatchObject({ kind: 'directory', file: null, parent_id: reports.id, path: 'reports/2026' });
    expect(await stage.listing(id)).toMatchObject({ data: [{ ...reports }], directory_generation: 3 });
    expect((await stage.listing(id, `?parent_id=${year.id}`)).data).toEqual([file]);
    expect(await namesIn(id, '?parent_id=')).toEqual(['reports']);
  });

  test('entries at the top have a parent id too, which lists and fills the top directory', async () => {
    const id = await stage.newSession();
    const { parent_id: top } = await stage.addFile(id, 'x', 'a.txt');
    expect(top).toMatch(/^ent_[0-9A-Za-z]+$/);
    const directory = await stage.addDirectory(id, 'd', top);
    const { id: innerId } = await stage.addFile(id, 'x', 'b.txt', directory.id);
    const moved = await read<EntryBody>(
      await stage.call(pathOf(id, innerId), { method: 'PATCH', body: JSON.stringify({ parent_id: top }) }),
      200,
    );
    expect([directory.parent_id, moved.parent_id]).toEqual([top, top]);
    expect(await namesIn(id, `?parent_id=${top}`)).toEqual(['a.txt', 'b.txt', 'd']);
    expect((await stage.call(`/v1/sessions/${await stage.newSession()}/files?parent_id=${top}`)).status).toBe(404);
  });

  test('is sorted by name, in pages, and skips no remaining entry when one is deleted', async () => {
    const id = await stage.newSession();
    for (const name of ['d', 'b', 'a', 'e', 'c']) await stage.addDirectory(id, name);
    const first = await stage.listing(id, '?limit=2');
    expect(first.data.map(({ name }) => name)).toEqual(['a', 'b']);
    await stage.call(pathOf(id, first.data[1]!.id), { method: 'DELETE' });
    const second = await stage.listing(id, `?limit=2&cursor=${first.next_cursor}`);
    expect(second.data.map(({ name }) => name)).toEqual(['c', 'd']);
    const last = await stage.listing(id, `?limit=2&cursor=${second.next_cursor}`);
    expect([last.data.map(({ name }) => name), last.has_more, last.next_cursor]).toEqual([['e'], false, null]);
  });

  test('refuses limits out of range, forged cursors, and ids that are not directories', async () => {
    const sessionId = await stage.newSession();
    const file = await stage.addFile(sessionId, 'x', 'plain.txt');
    for (const query of ['limit=0', 'limit=101', 'cursor=made-up'])
      expect((await stage.call(`/v1/sessions/${sessionId}/files?${query}`)).status).toBe(422);
    const unknown = await stage.call(`/v1/sessions/${sessionId}/files?parent_id=ent_none`);
    expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'entry_not_found']);
    const noDirectory = await stage.call(`/v1/sessions/${sessionId}/files?parent_id=${file.id}`);
    expect([noDirectory.status, await noDirectory.json()]).toMatchObject([
      409,
      { error: { code: 'not_a_directory', param: 'parent_id' } },
    ]);
  });
});

describe('the revisions of a session’s file', () => {
  const write = (sessionId: string, text: string, stepId: string) =>
    saveRunFiles(stage.db.write(stage.mine.workspaceId), {
      sessionId,
      runId: 'run_1',
      stepId,
      files: [{ path: 'report.txt', bytes: Buffer.from(text), mediaType: 'text/plain' }],
    });
  const revisionsOf = async (sessionId: string, entryId: string, query = '') =>
    read<{ data: RevisionBody[]; has_more: boolean; next_cursor: string | null }>(
      await stage.call(`${pathOf(sessionId, entryId)}/revisions${query}`),
    );

  test('are its contents, newest first, each readable by its file', async () => {
    const id = await stage.newSession();
    for (const [at, text] of ['one', 'two', 'three'].entries()) await write(id, text, `step_${at}_${id}`);
    const [entry] = (await stage.listing(id)).data;
    const { data } = await revisionsOf(id, entry!.id);
    expect(data.map(({ is_current: isCurrent }) => isCurrent)).toEqual([true, false, false]);
    expect(data[0]).toEqual({
      id: entry!.revision_id,
      is_current: true,
      file: entry!.file,
      created_at: expect.any(String),
    });
    const texts = data.map(async ({ file }) => (await stage.call(`/v1/files/${file.id}/content`)).text());
    expect(await Promise.all(texts)).toEqual(['three', 'two', 'one']);
    expect(data[2]!.file.expires_at).not.toBeNull();
  });

  test('come in pages', async () => {
    const id = await stage.newSession();
    for (const [at, text] of ['one', 'two', 'three'].entries()) await write(id, text, `step_${at}_${id}`);
    const [entry] = (await stage.listing(id)).data;
    const first = await revisionsOf(id, entry!.id, '?limit=2');
    const second = await revisionsOf(id, entry!.id, `?limit=2&cursor=${first.next_cursor}`);
    const whole = await revisionsOf(id, entry!.id);
    expect([first.has_more, second.has_more]).toEqual([true, false]);
    expect([...first.data, ...second.data]).toEqual(whole.data);
  });

  test('of an uploaded file are one, and of a directory none', async () => {
    const id = await stage.newSession();
    const file = await stage.addFile(id, 'a', 'a.txt');
    const directory = await stage.addDirectory(id, 'd');
    expect((await revisionsOf(id, file.id)).data.map((one) => one.id)).toEqual([file.revision_id]);
    expect((await revisionsOf(id, directory.id)).data).toEqual([]);
  });

  test('are 404 once the file is deleted, and leave the table with its bytes', async () => {
    const id = await stage.newSession();
    const file = await stage.addFile(id, 'a', 'a.txt');
    await stage.call(pathOf(id, file.id), { method: 'DELETE' });
    const refused = await stage.call(`${pathOf(id, file.id)}/revisions`);
    expect([refused.status, await codeOf(refused)]).toEqual([404, 'entry_not_found']);
    while ((await pruneFiles(stage.db.everywhere)) > 0);
    const { rowCount } = await stage.db.pool.query('select from entry_revisions where entry_id = $1', [file.id]);
    expect(rowCount).toBe(0);
  });
});
