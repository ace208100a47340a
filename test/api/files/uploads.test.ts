import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey, revokeKey } from '../../../db/keys/keyStore.ts';
import { openSocket, readRaw, sendRaw, type RawAnswer } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { codeOf } from '../../support/guardStage.ts';
import { setFileStage } from '../../support/fileStage.ts';

const stage = await setFileStage();
afterAll(() => stage.close());

const BOUNDARY = 'edge';
const purposePart = part('name="purpose"', 'agent_input');
const filePart = part('name="file"; filename="a.txt"', 'text');

function part(disposition: string, content: string, type?: string): string {
  const lines = [`--${BOUNDARY}`, `Content-Disposition: form-data; ${disposition}`];
  return [...lines, ...(type ? [`Content-Type: ${type}`] : []), '', content, ''].join('\r\n');
}

function head(
  length: number,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
  more: string[] = [],
  { key = stage.mine.secret, path = '/v1/files' } = {},
): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    ...more,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Sends a whole body and reads the answer. */
function send(body: string, type?: string, more: string[] = [], path?: string): Promise<RawAnswer> {
  const sent = head(Buffer.byteLength(body), type, ['Connection: close', ...more], { path }) + body;
  return sendRaw(stage.api.url, sent);
}

const end = `--${BOUNDARY}--\r\n`;

async function expectNothingNew(work: () => Promise<void>): Promise<void> {
  const before = await stage.stored();
  await work();
  await until(async () => {
    const { files, chunks } = await stage.stored();
    return files === before.files && chunks === before.chunks;
  });
}

describe('an upload', () => {
  test('accepts fields before or after its file', async () => {
    for (const body of [purposePart + filePart + end, filePart + purposePart + end])
      expect(await send(body)).toMatchObject({ status: 200, body: expect.stringContaining('"filename":"a.txt"') });
  });

  test('accepts bytes after its last boundary', async () => {
    expect((await send(`preamble\r\n${purposePart}${filePart}${end}epilogue`)).status).toBe(200);
  });

  test.each([
    ['no boundary', purposePart + filePart + end, 'multipart/form-data'],
    ['another boundary', purposePart + filePart + end, 'multipart/form-data; boundary=other'],
    ['no end', purposePart + filePart, undefined],
    ['a truncated file', purposePart + filePart.slice(0, -6), undefined],
    ['a truncated part header', `${purposePart}--${BOUNDARY}\r\nContent-Disp`, undefined],
    ['a field twice', purposePart + purposePart + filePart + end, undefined],
    ['a field without a name', purposePart + part('', 'x') + filePart + end, undefined],
    ['two files', purposePart + filePart + filePart + end, undefined],
    [
      '21 fields',
      Array.from({ length: 21 }, (_, at) => part(`name="f${at}"`, '')).join('') + filePart + end,
      undefined,
    ],
    ['a field of more than 1 MiB', part('name="purpose"', 'x'.repeat(1024 * 1024 + 1)) + filePart + end, undefined],
    ['no body', '', undefined],
  ])('with %s is refused and leaves no file', async (_what, body, type) => {
    const paths = ['/v1/files', `/v1/sessions/${await stage.newSession()}/files`, '/textapi/v1/files'];
    await expectNothingNew(async () => {
      const answers = await Promise.all(paths.map((path) => send(body, type, [], path)));
      const invalid = [422, { error: { code: 'validation_error' }, detail: [{ type: 'value_error' }] }];
      expect(answers.map(({ status, body: text }) => [status, JSON.parse(text)])).toMatchObject([
        invalid,
        invalid,
        [400, { error: { code: 'invalid_body' } }],
      ]);
    });
  });

  test.each([
    ['an empty filename', 'name="file"; filename=""'],
    ['no filename', 'name="file"'],
    ['another name for its file', 'name="data"; filename="a.txt"'],
    ['a folder for a filename', 'name="file"; filename="../../etc/"'],
    ['an encoded folder for a filename', `name="file"; filename*=UTF-8''..%2F..`],
  ])('with %s is refused and leaves no file', async (_what, disposition) => {
    await expectNothingNew(async () => {
      const answer = await send(purposePart + part(disposition, 'x', 'application/octet-stream') + end);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([422, { error: { code: 'validation_error' } }]);
    });
  });

  test('with a content encoding is refused', async () => {
    const answer = await send(purposePart + filePart + end, undefined, ['Content-Encoding: gzip']);
    expect(answer.status).toBe(415);
  });

  test('is refused and leaves no file when its key is revoked during the upload', async () => {
    const { workspaceId } = stage.mine;
    const key = await createKey(stage.db.everywhere, { workspaceId, name: 'to be revoked', scopes: ['llm'] });
    await expectNothingNew(async () => {
      const { chunks } = await stage.stored();
      const socket = await openSocket(stage.api.url);
      const answer = readRaw(socket);
      const started = part('name="file"; filename="a.txt"', 'x'.repeat(3_000_000)).slice(0, -2);
      socket.write(head(10_000_000, undefined, [], { key: key.secret }) + purposePart + started);
      await until(async () => (await stage.stored()).chunks > chunks);
      await revokeKey(stage.db, key.id);
      const { status, body } = await answer;
      expect([status, JSON.parse(body)]).toMatchObject([401, { error: { code: 'invalid_api_key' } }]);
    });
  });

  test('leaves no file when it breaks off, 60 times', async () => {
    const started = purposePart + part('name="file"; filename="a.txt"', 'x'.repeat(300_000)).slice(0, -2);
    await expectNothingNew(async () => {
      for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 20 }, () => breakOff(started)));
    });
    expect((await send(purposePart + filePart + end)).status).toBe(200);
  });
});

async function breakOff(bytes: string): Promise<void> {
  const socket = await openSocket(stage.api.url);
  const sent = new Promise((resolve) => socket.write(head(10_000_000) + bytes, resolve));
  await sent;
  socket.destroy();
}

test('stores what fits of many uploads at once, and refuses the others', async () => {
  const full = await stage.account();
  await stage.db.pool.query(
    `insert into files (id, workspace_id, purpose, filename, media_type, size_bytes, sha256)
     values ('file_almost', $1, 'user_data', 'f', 'text/plain', 21474836480 - 5, '')`,
    [full.workspaceId],
  );
  const sendOne = (at: number) => {
    const headers = { 'idempotency-key': `one of many ${at}` };
    return stage.send('/v1/files', { content: 'xx', fields: { purpose: 'agent_input' }, key: full.secret, headers });
  };
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => sendOne(at)));
  const refused = answers.findIndex(({ status }) => status === 413);
  expect(answers.filter(({ status }) => status === 413)).toHaveLength(10);
  expect(await codeOf(answers[refused]!)).toBe('storage_limit_exceeded');
  // One byte is left.
  const used = 'select sum(size_bytes)::text as bytes from files where workspace_id = $1';
  expect((await stage.db.pool.query(used, [full.workspaceId])).rows).toEqual([{ bytes: String(21474836480 - 1) }]);
  await stage.db.pool.query('delete from files where id = $1', ['file_almost']);
  expect((await sendOne(refused)).status).toBe(200);
});
