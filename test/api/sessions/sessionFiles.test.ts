import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { addSessionEntry } from '../../../db/sessions/addEntries.ts';
import { codeOf, type ErrorBody } from '../../support/guardStage.ts';
import { read, setFileStage, type EntryBody } from '../../support/fileStage.ts';
import { untilAnswered } from '../../support/until.ts';

const stage = await setFileStage();
const sessionId = await stage.newSession();
afterAll(() => stage.close());

const create = (id: string, body: object, headers: Record<string, string> = {}) =>
  stage.call(`/v1/sessions/${id}/files`, { body: JSON.stringify(body), headers });

const change = (id: string, entryId: string, body: object, headers: Record<string, string> = {}) =>
  stage.call(`/v1/sessions/${id}/files/${entryId}`, { method: 'PATCH', body: JSON.stringify(body), headers });

const remove = (id: string, entryId: string, headers: Record<string, string> = {}) =>
  stage.call(`/v1/sessions/${id}/files/${entryId}`, { method: 'DELETE', headers });

const namesIn = async (id: string, query = '') => (await stage.listing(id, query)).data.map(({ name }) => name);

describe('POST /v1/sessions/{session_id}/files', () => {
  test('adds an existing file to the session, under its own name or another', async () => {
    const id = await stage.newSession();
    const { id: fileId } = await stage.upload('text', 'origin.txt');
    const same = await read<EntryBody>(await create(id, { file_id: fileId }), 201);
    const renamed = await read<EntryBody>(await create(id, { file_id: fileId, name: 'copy.txt' }), 201);
    expect([same.name, renamed.name, renamed.file!.id]).toEqual(['origin.txt', 'copy.txt', fileId]);
  });

  test("prefers the form's name over the file's own", async () => {
    const id = await stage.newSession();
    const sent = { content: 'x', filename: 'a.txt', fields: { name: 'b.md' } };
    const entry = await read<EntryBody>(await stage.send(`/v1/sessions/${id}/files`, sent), 201);
    expect(entry).toMatchObject({ name: 'b.md', file: { filename: 'b.md', media_type: 'text/markdown' } });
  });

  test('treats two Unicode spellings of one name as equal', async () => {
    const id = await stage.newSession();
    await stage.addDirectory(id, 'ä'.normalize('NFD'));
    const second = await create(id, { kind: 'directory', name: 'ä'.normalize('NFC') });
    expect([second.status, await codeOf(second)]).toEqual([409, 'name_conflict']);
    expect(await namesIn(id)).toEqual(['ä'.normalize('NFC')]);
  });

  test('creates one entry for ten concurrent requests with one name', async () => {
    const id = await stage.newSession();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stage.send(`/v1/sessions/${id}/files`, { content: 'x', filename: 'one.txt' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await stage.listing(id)).toMatchObject({ data: [{ name: 'one.txt' }], directory_generation: 1 });
  });

  test.each([
    [{}, 'file_id'],
    [{ kind: 'directory' }, 'name'],
    [{ kind: 'link', name: 'x' }, 'kind'],
    [{ file_id: 'file_1', more: 1 }, 'more'],
    [{ kind: 'directory', name: 'x', parent_id: '../x' }, 'parent_id'],
    [{ kind: 'directory', name: '..' }, 'name'],
    [{ kind: 'directory', name: 'a/b' }, 'name'],
    [{ kind: 'directory', name: 'a\u0000' }, 'name'],
    [{ kind: 'directory', name: 'ä'.repeat(200) }, 'name'],
  ])('refuses %j', async (body, param) => {
    const refused = await read<ErrorBody>(await create(sessionId, body), 422);
    expect(refused.error).toMatchObject({ code: 'validation_error', param });
  });

  test('refuses a form without a file, an unreadable file, and an unknown directory', async () => {
    const path = `/v1/sessions/${sessionId}/files`;
    expect((await stage.send(path, { fields: { name: 'x' } })).status).toBe(422);
    expect((await stage.send(path, { content: Buffer.from('MZ\0\x01'), filename: 'a.exe' })).status).toBe(415);
    const old = await stage.send(path, { content: Buffer.from('d0cf11e0a1b11ae1', 'hex'), filename: 'a.doc' });
    expect((await read<ErrorBody>(old, 415)).error).toMatchObject({
      param: 'file',
      message: expect.stringMatching(/DOCX/),
    });
    const fields = { parent_id: 'ent_none' };
    const before = await stage.stored();
    expect((await stage.send(path, { content: 'x', filename: 'lost.txt', fields })).status).toBe(404);
    expect(await stage.stored()).toEqual(before);
  });

  test("refuses what exceeds the session's storage, and stores nothing", async () => {
    const id = await stage.newSession();
    await stage.db.pool.query('update sessions set stored_bytes = $2 where id = $1', [id, 512 * 1024 * 1024 - 3]);
    const before = await stage.stored();
    const full = await stage.send(`/v1/sessions/${id}/files`, { content: 'four', filename: 'four.txt' });
    expect([full.status, await codeOf(full)]).toEqual([413, 'storage_limit_exceeded']);
    expect(await stage.stored()).toEqual(before);
    await stage.addFile(id, 'abc', 'three.txt');
  });

  test("changes nothing when the directories differ from the caller's If-Match", async () => {
    const id = await stage.newSession();
    const first = await create(id, { kind: 'directory', name: 'a' }, { 'if-match': '"dir-0"' });
    expect([first.status, first.headers.get('etag')]).toEqual([201, '"dir-1"']);
    const stale = await create(id, { kind: 'directory', name: 'b' }, { 'if-match': '"dir-0"' });
    expect([stale.status, stale.headers.get('etag'), await codeOf(stale)]).toEqual([
      412,
      '"dir-1"',
      'directory_changed',
    ]);
    const entry = (await stage.listing(id)).data[0]!;
    const old = { 'if-match': '"dir-0"' };
    expect((await change(id, entry.id, { name: 'z' }, old)).status).toBe(412);
    expect((await remove(id, entry.id, old)).status).toBe(412);
    for (const tag of ['dir-1', '"dir-01"', '"draft-1"', 'W/"dir-1"'])
      expect((await create(id, { kind: 'directory', name: 'b' }, { 'if-match': tag })).status).toBe(422);
    expect(await namesIn(id)).toEqual(['a']);
    expect((await remove(id, entry.id, { 'if-match': '"dir-1"' })).headers.get('etag')).toBe('"dir-2"');
  });

  test('recognises an entry that a killed process created, although the directories have changed', async () => {
    const id = await stage.newSession();
    const place = { workspaceId: stage.mine.workspaceId, sessionId: id, id: newId('ent'), parentId: null, name: 'a' };
    const add = () => addSessionEntry(stage.db.write(place.workspaceId), { ...place, fileId: null, ifGeneration: 0 });
    await add();
    await add();
    expect((await stage.listing(id)).directory_generation).toBe(1);
    const other = addSessionEntry(stage.db.write(place.workspaceId), {
      ...place,
      id: newId('ent'),
      fileId: null,
      ifGeneration: 0,
    });
    await expect(other).rejects.toMatchObject({ code: 'directory_changed' });
  });

  test('treats a null member as missing', async () => {
    const id = await stage.newSession();
    const { id: entryId } = await read<{ id: string }>(await create(id, { kind: 'directory', name: 'a' }), 201);
    const listed = await stage.call(`/v1/sessions/${id}/files?parent_id=null&cursor=null`);
    expect((await read<{ data: object[] }>(listed)).data).toHaveLength(1);
    expect((await change(id, entryId, { name: null, parent_id: null })).status).toBe(200);
    expect((await change(id, entryId, { name: null })).status).toBe(422);
    expect(await namesIn(id)).toEqual(['a']);
  });

  test('adds one file for all requests with one Idempotency-Key', async () => {
    const id = await stage.newSession();
    const headers = { 'idempotency-key': 'entry-0001' };
    const before = await stage.stored();
    const send = (content: string) => stage.send(`/v1/sessions/${id}/files`, { content, filename: 'a.txt', headers });
    const answers = await Promise.all(Array.from({ length: 5 }, () => untilAnswered(() => send('once'))));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect(await stage.stored()).toEqual({ files: before.files + 1, chunks: before.chunks + 1 });
    const other = await send('other');
    expect([other.status, await codeOf(other)]).toEqual([409, 'idempotency_conflict']);
    const directory = { kind: 'directory', name: 'd' };
    const keyed = { 'idempotency-key': 'entry-0002' };
    const [made, again] = [await create(id, directory, keyed), await create(id, directory, keyed)];
    expect(await again.text()).toBe(await made.text());
  });
});

describe('PATCH /v1/sessions/{session_id}/files/{entry_id}', () => {
  test('renames and moves, including the content of a directory', async () => {
    const id = await stage.newSession();
    const from = await stage.addDirectory(id, 'from');
    const to = await stage.addDirectory(id, 'to');
    const file = await stage.addFile(id, 'x', 'a.txt', from.id);
    const moved = await read<EntryBody>(await change(id, from.id, { name: 'inner', parent_id: to.id }), 200);
    expect(moved).toMatchObject({ name: 'inner', path: 'to/inner', parent_id: to.id, revision_id: from.revision_id });
    expect((await stage.listing(id, `?parent_id=${from.id}`)).data).toMatchObject([
      { id: file.id, path: 'to/inner/a.txt' },
    ]);
    const top = await read<EntryBody>(await change(id, file.id, { parent_id: null }), 200);
    expect([top.path, top.parent_id]).toEqual(['a.txt', to.parent_id]);
    expect((await stage.listing(id)).directory_generation).toBe(5);
  });

  test('refuses to move a directory into itself', async () => {
    const id = await stage.newSession();
    const outer = await stage.addDirectory(id, 'outer');
    const inner = await stage.addDirectory(id, 'inner', outer.id);
    for (const parent_id of [outer.id, inner.id]) {
      const refused = await change(id, outer.id, { parent_id });
      expect([refused.status, await codeOf(refused)]).toEqual([409, 'directory_cycle']);
    }
  });

  test('refuses an existing name, a file as a directory, and an empty change', async () => {
    const id = await stage.newSession();
    const a = await stage.addFile(id, 'a', 'a.txt');
    const b = await stage.addFile(id, 'b', 'b.txt');
    const taken = await change(id, b.id, { name: 'a.txt' });
    expect([taken.status, await codeOf(taken)]).toEqual([409, 'name_conflict']);
    const inFile = await change(id, b.id, { parent_id: a.id });
    expect([inFile.status, await codeOf(inFile)]).toEqual([409, 'not_a_directory']);
    for (const body of [{}, { name: '' }, { name: '..' }, { name: null }, { more: 1 }])
      expect((await change(id, b.id, body)).status).toBe(422);
    expect((await change(id, b.id, { name: 'b.txt' })).status).toBe(200);
  });

  test('refuses too deep directories, created or moved', async () => {
    const id = await stage.newSession();
    let parent: string | null = null;
    for (let level = 1; level <= 16; level += 1) parent = (await stage.addDirectory(id, 'd', parent)).id;
    const deeper = await create(id, { kind: 'directory', name: 'd', parent_id: parent });
    expect([deeper.status, await codeOf(deeper)]).toEqual([413, 'storage_limit_exceeded']);
    const pair = await stage.addDirectory(id, 'pair');
    await stage.addDirectory(id, 'inner', pair.id);
    const level15 = await parentOf(parent!);
    expect((await change(id, pair.id, { parent_id: level15 })).status).toBe(413);
  });
});

async function parentOf(entryId: string): Promise<string> {
  const { rows } = await stage.db.pool.query('select parent_id from session_entries where id = $1', [entryId]);
  return rows[0].parent_id as string;
}

describe('DELETE /v1/sessions/{session_id}/files/{entry_id}', () => {
  test('removes a directory with its content, and frees the storage', async () => {
    const id = await stage.newSession();
    const outer = await stage.addDirectory(id, 'outer');
    const inner = await stage.addDirectory(id, 'inner', outer.id);
    const own = await stage.addFile(id, 'own', 'own.txt', inner.id);
    const { id: sharedId } = await stage.upload('shared', 'shared.txt');
    await create(id, { file_id: sharedId, parent_id: outer.id });
    expect(await read(await remove(id, outer.id), 200)).toEqual({
      id: outer.id,
      object: 'session.file',
      deleted: true,
    });
    expect((await stage.listing(id)).data).toEqual([]);
    expect((await stage.call(`/v1/files/${own.file!.id}`)).status).toBe(404);
    expect((await stage.call(`/v1/files/${sharedId}`)).status).toBe(200);
    const { rows } = await stage.db.pool.query('select stored_bytes from sessions where id = $1', [id]);
    expect(Number(rows[0].stored_bytes)).toBe(0);
    expect((await remove(id, outer.id)).status).toBe(404);
  });

  test("keeps a session's file that another session contains", async () => {
    const [first, second] = [await stage.newSession(), await stage.newSession()];
    const entry = await stage.addFile(first, 'x', 'a.txt');
    const held = await read<EntryBody>(await create(second, { file_id: entry.file!.id }), 201);
    await remove(first, entry.id);
    expect((await stage.call(`/v1/files/${entry.file!.id}/content`)).status).toBe(200);
    await remove(second, held.id);
    expect((await stage.call(`/v1/files/${entry.file!.id}/content`)).status).toBe(404);
  });
});
