import { afterAll, describe, expect, test } from '@jest/globals';
import { codeOf, type ErrorBody } from '../../support/guardStage.ts';
import { read, setFileStage, type FileBody } from '../../support/fileStage.ts';
import { untilAnswered } from '../../support/until.ts';

const stage = await setFileStage();
afterAll(() => stage.close());

const agentFields = { purpose: 'agent_input' };
const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex');
const COMPOUND = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)]);
const ZIP = Buffer.from('504b030414000600080000002100', 'hex');

describe('POST /v1/files', () => {
  test('refuses a caller without a key, and a key without a product scope', async () => {
    const nobody = await stage.send('/v1/files', { content: 'x', fields: agentFields, key: 'sk_live_none' });
    expect(nobody.status).toBe(401);
    const manager = await stage.account({ scopes: ['manage'] });
    const refused = await stage.send('/v1/files', { content: 'x', fields: agentFields, key: manager.secret });
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'scope_not_allowed']);
  });

  test('answers with the file in the form of agents', async () => {
    const file = await read<FileBody>(
      await stage.send('/v1/files', { content: 'a,b\n', filename: 'Tabelle ä.csv', fields: agentFields }),
      200,
    );
    expect(file).toEqual({
      id: expect.stringMatching(/^file_[0-9A-Za-z]+$/),
      object: 'file',
      purpose: 'agent_input',
      filename: 'Tabelle ä.csv'.normalize('NFC'),
      media_type: 'text/csv',
      size_bytes: 4,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      expires_at: null,
    });
  });

  test.each(['user_data', 'vision', 'assistants', 'batch'])("answers in OpenAI's form for %s", async (purpose) => {
    const sent = { content: '{"a":1}\n', filename: 'a.jsonl', fields: { purpose } };
    const file = await read<FileBody>(await stage.send('/v1/files', sent), 200);
    expect(file).toEqual({
      id: expect.any(String),
      object: 'file',
      bytes: 8,
      created_at: expect.any(Number),
      expires_at: purpose === 'batch' ? Number(file.created_at) + 2_592_000 : null,
      filename: 'a.jsonl',
      purpose,
      status: 'processed',
      status_details: null,
    });
  });

  test("answers in OpenAI's form for every purpose under /textapi", async () => {
    const sent = { content: 'x', fields: agentFields };
    const file = await read<FileBody>(await stage.send('/textapi/v1/files', sent), 200);
    expect(file).toMatchObject({ bytes: 1, status: 'processed', created_at: expect.any(Number) });
    const shown = await read<FileBody>(await stage.call(`/v1/files/${file.id}`), 200);
    expect(shown).toMatchObject({ size_bytes: 1, created_at: expect.any(String) });
  });

  test('sets the expiry from the seconds in the form', async () => {
    const fields = { purpose: 'user_data', 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };
    const file = await read<FileBody>(await stage.send('/v1/files', { content: 'x', fields }), 200);
    expect(file.expires_at).toBe(Number(file.created_at) + 3600);
  });

  test.each([
    ['purpose', {}],
    ['purpose', { purpose: 'fine-tune' }],
    ['more', { ...agentFields, more: '1' }],
    ['expires_after[seconds]', { ...agentFields, 'expires_after[anchor]': 'created_at' }],
    [
      'expires_after[seconds]',
      { ...agentFields, 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3599' },
    ],
    [
      'expires_after[seconds]',
      { ...agentFields, 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '2592001' },
    ],
    ['expires_after[anchor]', { ...agentFields, 'expires_after[seconds]': '3600' }],
  ])('refuses an invalid %s: %j', async (param, fields) => {
    const agents = await stage.send('/v1/files', { content: 'x', fields });
    const openAi = await stage.send('/textapi/v1/files', { content: 'x', fields });
    expect([agents.status, openAi.status]).toEqual([422, 400]);
    expect((await read<ErrorBody>(agents, 422)).error).toMatchObject({
      param,
      code: 'validation_error',
    });
    expect((await read<ErrorBody>(openAi, 400)).error).toMatchObject({ param, code: 'invalid_value' });
  });

  test('refuses a form without a file, and a body that is not a form', async () => {
    const empty = await stage.send('/v1/files', { fields: agentFields });
    expect((await read<ErrorBody>(empty, 422)).error.param).toBe('file');
    const text = await stage.send('/v1/files', { fields: { ...agentFields, file: 'a text without a filename' } });
    const message = 'file: The form needs a part named "file" with a filename.';
    expect((await read<ErrorBody>(text, 422)).error).toMatchObject({ param: 'file', message });
    const json = await stage.call('/v1/files', { body: '{}' });
    expect([json.status, await codeOf(json)]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    ['that is invalid', '..'],
    ['that is invalid', '.'],
    ['that is empty', ' '],
    ['that is invalid after its folder', 'a/..'],
    ['that is only a folder', 'a/'],
    ['with a NUL', 'a\u0000b.txt'],
    ['that shows its end before its start', 'invoice\u202efdp.js'],
    ['of 10 kB', `${'n'.repeat(10_000)}.txt`],
  ])('refuses the file name %s', async (_what, filename) => {
    const before = await stage.stored();
    const refused = await stage.send('/v1/files', { content: 'x', filename, fields: agentFields });
    expect((await read<ErrorBody>(refused, 422)).error).toMatchObject({ param: 'file' });
    expect(await stage.stored()).toEqual(before);
  });

  test('detects the type by content, not by name', async () => {
    const image = await read<FileBody>(
      await stage.send('/v1/files', { content: PNG, filename: 'a.txt', fields: agentFields }),
      200,
    );
    expect(image.media_type).toBe('image/png');
    const archive = await stage.send('/v1/files', { content: ZIP, filename: 'a.txt', fields: agentFields });
    expect([archive.status, await codeOf(archive)]).toEqual([415, 'unsupported_media_type']);
  });

  test.each(['/v1/files', '/textapi/v1/files'])('refuses old documents of Office at %s', async (path) => {
    const before = await stage.stored();
    for (const filename of ['report.xls', 'report.xlsx']) {
      const refused = await stage.send(path, { content: COMPOUND, filename, fields: { purpose: 'user_data' } });
      const message = expect.stringMatching(`^'${filename}' is .* convert it to XLSX`);
      const { error } = await read<ErrorBody>(refused, 415);
      expect(error).toMatchObject({ code: 'unsupported_media_type', param: 'file', message });
    }
    expect(await stage.stored()).toEqual(before);
    const text = await stage.send(path, { content: 'a\tb', filename: 'report.xls', fields: agentFields });
    expect(text.status).toBe(200);
  });

  test('accepts only images for icons, and only text for batches', async () => {
    const icon = (content: string | Uint8Array<ArrayBuffer>) =>
      stage.send('/v1/files', { content, filename: 'i.png', fields: { purpose: 'agent_icon' } });
    expect((await icon(PNG)).status).toBe(200);
    expect((await icon('not an image')).status).toBe(415);
    expect((await icon(Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]))).status).toBe(413);
    const batch = await stage.send('/v1/files', { content: PNG, filename: 'b.jsonl', fields: { purpose: 'batch' } });
    expect(batch.status).toBe(415);
  });

  test.each([
    { purpose: 'agent_input', fieldsFirst: false },
    { purpose: 'user_data', fieldsFirst: false },
    { purpose: 'agent_input', fieldsFirst: true },
  ])("refuses a file that exceeds its purpose's limit, and stores nothing: %j", async ({ purpose, fieldsFirst }) => {
    const before = await stage.stored();
    const content = Buffer.alloc(25 * 1024 * 1024 + 1, 'a');
    const refused = await stage.send('/v1/files', { content, fields: { purpose }, fieldsFirst });
    expect([refused.status, await codeOf(refused)]).toEqual([413, 'file_too_large']);
    expect(await stage.stored()).toEqual(before);
  });

  test('accepts a batch file above the limit of other files', async () => {
    const content = Buffer.alloc(26 * 1024 * 1024, 'a');
    const sent = { content, filename: 'b.jsonl', fields: { purpose: 'batch' } };
    expect(await read<FileBody>(await stage.send('/textapi/v1/files', sent), 200)).toMatchObject({
      bytes: content.length,
    });
  });

  test("refuses an upload when the workspace's storage is full", async () => {
    const full = await stage.account();
    await stage.db.pool.query(
      `insert into files (id, workspace_id, purpose, filename, media_type, size_bytes, sha256)
       values ('file_full', $1, 'user_data', 'f', 'text/plain', 21474836480, '')`,
      [full.workspaceId],
    );
    const refused = await stage.send('/v1/files', { content: 'x', fields: agentFields, key: full.secret });
    expect([refused.status, await codeOf(refused)]).toEqual([413, 'storage_limit_exceeded']);
  });

  test('creates one file for all requests with one Idempotency-Key, and refuses another content', async () => {
    const headers = { 'idempotency-key': 'upload-0001' };
    const send = (content: string) => stage.send('/v1/files', { content, fields: agentFields, headers });
    const before = await stage.stored();
    const answers = await Promise.all(Array.from({ length: 10 }, () => untilAnswered(() => send('once'))));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(answers.filter(({ headers: sent }) => sent.get('idempotent-replayed') === 'true')).toHaveLength(9);
    expect(await stage.stored()).toEqual({ files: before.files + 1, chunks: before.chunks + 1 });
    const { id } = JSON.parse(bodies[0]!) as FileBody;
    expect(await (await stage.call(`/v1/files/${id}/content`)).text()).toBe('once');
    const changed = await send('twice');
    expect([changed.status, await codeOf(changed)]).toEqual([409, 'idempotency_conflict']);
  });
});

describe('GET /v1/files', () => {
  test("lists newest first, in pages, by either family's cursor", async () => {
    const owner = await stage.account();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const sent = { content: String(count), fields: agentFields, key: owner.secret };
      ids.unshift((await read<FileBody>(await stage.send('/v1/files', sent), 200)).id);
    }
    for (const name of ['after', 'cursor']) {
      const seen: string[] = [];
      for (let next: string | null = ''; next !== null;) {
        const query = `?limit=2${next && `&${name}=${next}`}`;
        const page = await stage.call(`/v1/files${query}`, { key: owner.secret });
        const body = await read<{ data: FileBody[]; next_cursor: string | null; has_more: boolean }>(page, 200);
        seen.push(...body.data.map(({ id }) => id));
        expect(body.has_more).toBe(body.next_cursor !== null);
        next = body.next_cursor;
      }
      expect(seen).toEqual(ids);
    }
    const oldest = await stage.call('/textapi/v1/files?order=asc&limit=1', { key: owner.secret });
    expect(await read(oldest, 200)).toMatchObject({
      object: 'list',
      first_id: ids[4],
      last_id: ids[4],
      has_more: true,
    });
  });

  test('filters by purpose, and leaves out files of sessions', async () => {
    const owner = await stage.account();
    const { secret: key } = owner;
    await stage.send('/v1/files', { content: 'x', fields: agentFields, key });
    await stage.send('/v1/files', { content: 'x', fields: { purpose: 'user_data' }, key });
    const sessionId = await stage.newSession(key);
    await read(await stage.send(`/v1/sessions/${sessionId}/files`, { content: 'x', key }), 201);
    const listed = async (query: string) =>
      (await read<{ data: FileBody[] }>(await stage.call(`/v1/files${query}`, { key }), 200)).data;
    expect(await listed('')).toHaveLength(2);
    expect((await listed('?purpose=user_data')).map(({ purpose }) => purpose)).toEqual(['user_data']);
  });

  test('refuses a limit out of range and an unknown cursor', async () => {
    expect((await stage.call('/v1/files?limit=0')).status).toBe(422);
    const { error } = await read<ErrorBody>(await stage.call('/textapi/v1/files?limit=0'), 400);
    expect(error).toMatchObject({ code: 'integer_below_min_value', param: 'limit' });
    expect((await stage.call('/v1/files?after=file_none')).status).toBe(404);
    expect((await stage.call('/v1/files?after=%00')).status).toBe(422);
    expect((await stage.call('/v1/files/file_%00')).status).toBe(404);
  });
});

describe('DELETE /v1/files/{file_id}', () => {
  test('deletes the file; a second request answers 404', async () => {
    const { id } = await stage.upload('gone');
    const deleted = await stage.call(`/v1/files/${id}`, { method: 'DELETE' });
    expect(await read(deleted, 200)).toEqual({ id, object: 'file', deleted: true });
    for (const [method, path] of [
      ['GET', `/v1/files/${id}`],
      ['GET', `/v1/files/${id}/content`],
      ['DELETE', `/v1/files/${id}`],
    ] as const)
      expect((await stage.call(path, { method })).status).toBe(404);
  });

  test('removes the file from the sessions that contain it', async () => {
    const { id } = await stage.upload('shared', 'shared.txt');
    const sessionId = await stage.newSession();
    await read(await stage.call(`/v1/sessions/${sessionId}/files`, { body: JSON.stringify({ file_id: id }) }), 201);
    await stage.call(`/v1/files/${id}`, { method: 'DELETE' });
    expect(await stage.listing(sessionId)).toMatchObject({ data: [], directory_generation: 2 });
  });
});

describe('a file of another workspace', () => {
  test('answers 404 as for an unknown id', async () => {
    const { id } = await stage.upload('secret-canary', 'canary.txt');
    const { secret: key } = stage.other;
    for (const prefix of ['/v1', '/textapi/v1']) {
      for (const [method, end] of [
        ['GET', ''],
        ['GET', '/content'],
        ['DELETE', ''],
      ] as const) {
        const foreign = await stage.call(`${prefix}/files/${id}${end}`, { method, key });
        const unknown = await stage.call(`${prefix}/files/file_none${end}`, { method, key });
        expect([foreign.status, unknown.status]).toEqual([404, 404]);
        expect((await foreign.text()).replace(id, 'file_none')).toBe(await unknown.text());
      }
      // It may be a file of this workspace that is gone.
      const after = await read<{ data: FileBody[] }>(await stage.call(`${prefix}/files?after=${id}`, { key }), 200);
      expect(after.data.map((file) => file.id)).not.toContain(id);
    }
    const sessionId = await stage.newSession(key);
    const body = JSON.stringify({ file_id: id });
    expect((await stage.call(`/v1/sessions/${sessionId}/files`, { key, body })).status).toBe(404);
    expect((await stage.call(`/v1/files/${id}`)).status).toBe(200);
  });
});
