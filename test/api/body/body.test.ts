import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { textModel } from '../../support/startApi.ts';
import { chatBody, chatPath, type ErrorBody } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { setBodyStage } from './bodyStage.ts';

const mebibyte = 1024 * 1024;
const messages = `"messages":[{"role":"user","content":"a"}]`;

const stage = await setBodyStage();
const { headers, send, lastSent } = stage;

const packings = (body: string): [encoding: string, packed: Buffer][] => [
  ['gzip', gzipSync(body)],
  ['GZIP', gzipSync(body)],
  ['br', brotliCompressSync(body)],
  ['zstd', zstdCompressSync(body)],
];

/** Resident memory of the API process, in bytes. */
function residentBytes(): number {
  const status = readFileSync(`/proc/${stage.api.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024;
}

describe('a body that is not JSON is refused with 400 invalid_body', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['an empty body', ''],
    ['only spaces', '   '],
    ['half an object', '{"model":'],
    ['two objects', `${chatBody()}${chatBody()}`],
    ['a comment', `/* a */${chatBody()}`],
    ['a trailing comma', `{"model":"${textModel}",}`],
    ['not a number', `{"model":"${textModel}",${messages},"temperature":NaN}`],
    ['invalid UTF-8', new Uint8Array(Buffer.from(chatBody().replace('two', '\xff\xfe'), 'latin1'))],
    ['UTF-16', new Uint8Array(Buffer.from(chatBody(), 'utf16le'))],
    ['an overlong encoding', new Uint8Array(Buffer.from(chatBody().replace('two', '\xc0\xaf'), 'latin1'))],
    ['a surrogate encoded by itself', new Uint8Array(Buffer.from(chatBody().replace('two', '\xed\xa0\x80'), 'latin1'))],
    ['65 levels', `{"model":"${textModel}",${messages},"metadata":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['65 levels of 40 KB', `{"text":"${'a'.repeat(40_000)}","metadata":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['65 levels of 300 KB', `{"text":"${'a'.repeat(300_000)}","metadata":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['400,000 levels', '['.repeat(400_000) + ']'.repeat(400_000)],
    ['400,000 levels of objects', '{"a":'.repeat(400_000) + '1' + '}'.repeat(400_000)],
  ])('%s', async (_, body) => {
    expect(await send(body)).toEqual({ status: 400, code: 'invalid_body', param: null });
    expect(stage.upstream.calls()).toHaveLength(0);
  });

  test.each(['null', '7', '"text"', '[]', 'true'])('%s, which is JSON but not an object', async (body) => {
    expect((await send(body)).status).toBe(400);
  });
});

describe('member names with a meaning in JavaScript', () => {
  test('are ordinary members and change nothing outside their body', async () => {
    const traps = `"__proto__":{"stream":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":7,"toString":"a"`;
    expect((await send(`{"model":"${textModel}",${messages},${traps}}`)).status).toBe(200);
    expect(
      (await send(`{"model":"${textModel}","messages":[{"role":"user","content":"a","__proto__":{"x":1}}]}`)).status,
    ).toBe(200);
    const { status } = await stage.ask('/v1/models/polluted', { headers });
    expect(status).toBe(404);
    expect(await send(chatBody())).toMatchObject({ status: 200 });
    expect(lastSent()).not.toHaveProperty('polluted');
  });

  test('are not read from a prototype', async () => {
    expect(await send(`{"__proto__":{"model":"${textModel}"},${messages}}`)).toMatchObject({
      status: 400,
      param: 'model',
    });
    expect(await send(chatBody({ model: '__proto__' }))).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(await send(chatBody({ model: 'constructor' }))).toMatchObject({ status: 404, code: 'model_not_found' });
  });
});

test('of several members with one name, the last counts, here and at the upstream', async () => {
  expect(
    (await send(`{"model":"none","model":"${textModel}","temperature":9,"temperature":1,${messages}}`)).status,
  ).toBe(200);
  expect(lastSent()).toMatchObject({ temperature: 1 });
  expect(await send(`{"model":"${textModel}","model":"none",${messages}}`)).toMatchObject({ code: 'model_not_found' });
});

test('an unpaired surrogate in an escape is forwarded unchanged', async () => {
  expect((await send(chatBody({ messages: [{ role: 'user', content: '\ud800 half' }] }))).status).toBe(200);
  expect(lastSent()).toMatchObject({ messages: [{ content: '\ud800 half' }] });
  expect(await send(chatBody({ model: 'x\ud800\u0000' }))).toMatchObject({ status: 404 });
});

test('64 levels of nesting are accepted', async () => {
  const body = `{"model":"${textModel}",${messages},"metadata":${'['.repeat(63)}${']'.repeat(63)}}`;
  expect(await send(body)).not.toMatchObject({ code: 'invalid_body' });
});

describe('the content type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; version=1; charset="utf-8"; q=1',
    'Application/JSON',
    'application/vnd.api+json',
  ])('%s counts as JSON', async (type) => {
    expect((await send(chatBody(), { 'content-type': type })).status).toBe(200);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/json; charset=utf-16',
    'application/json; charset=utf-80',
    'application/json; version=1; charset=latin1',
    'application/jsonp',
    'text/application/json',
    'application/json, application/json',
  ])('%s is refused with 415 unsupported_media_type', async (type) => {
    expect(await send(chatBody(), { 'content-type': type })).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    });
  });

  test('a byte order mark before it is harmless', async () => {
    expect((await send(`\ufeff${chatBody()}`)).status).toBe(200);
    expect(await send(`\ufeff\ufeff${chatBody()}`)).toMatchObject({ status: 400 });
  });

  test('a missing content type counts as JSON', async () => {
    const status = await new Promise((resolve, reject) => {
      const sent = request(stage.api.url + chatPath, { method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end(chatBody());
    });
    expect(status).toBe(200);
  });
});

describe('a compressed body', () => {
  test('is inflated and parsed', async () => {
    for (const [encoding, packed] of packings(chatBody()))
      expect((await send(new Uint8Array(packed), { 'content-encoding': encoding })).status).toBe(200);
  });

  test.each(['deflate', 'gzip, gzip', 'compress'])('is refused with 415 when compressed by %s', async (encoding) => {
    const answer = await stage.ask(chatPath, {
      headers: { ...headers, 'content-encoding': encoding },
      body: chatBody(),
    });
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'gzip, br, zstd']);
  });

  test.each(['br', 'zstd'])('is refused with 400 when it is no %s, or breaks off', async (encoding) => {
    const whole = packings(chatBody()).find(([name]) => name === encoding)![1];
    for (const bytes of [Buffer.from(chatBody()), whole.subarray(0, 20)]) {
      const answer = await send(new Uint8Array(bytes), { 'content-encoding': encoding });
      expect(answer).toMatchObject({ status: 400, code: 'invalid_body' });
    }
  });

  test.each([
    ['that is not', Buffer.from(chatBody())],
    ['that breaks off', gzipSync(chatBody()).subarray(0, 30)],
    ['whose sum is wrong', Buffer.concat([gzipSync(chatBody()).subarray(0, -8), Buffer.alloc(8)])],
  ])('is refused with 400 when it is %s', async (_, bytes) => {
    const answer = await send(new Uint8Array(bytes), { 'content-encoding': 'gzip' });
    expect(answer).toMatchObject({ status: 400, code: 'invalid_body' });
  });

  test('is refused with 413 when it inflates to 200 MB, and memory stays flat', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(200_000_000)));
    const warm = () => send(new Uint8Array(gzipSync(Buffer.alloc(70_000_000))), { 'content-encoding': 'gzip' });
    for (let count = 0; count < 3; count += 1) expect((await warm()).status).toBe(413);
    const before = residentBytes();
    for (let count = 0; count < 5; count += 1) {
      const answer = await send(bomb, { 'content-encoding': 'gzip' });
      expect(answer).toMatchObject({ status: 413, code: 'request_too_large' });
    }
    expect(residentBytes() - before).toBeLessThan(60 * mebibyte);
  });
});

describe("a body that is not JSON is refused with 422 outside of OpenAI's family", () => {
  test.each(['/voiceapi/v1/text-to-speech/alloy', '/v1/runs', '/v1/sessions'])('%s', async (path) => {
    for (const body of ['{"text":', '\xff']) {
      const response = await stage.ask(path, { headers, body: new Uint8Array(Buffer.from(body, 'latin1')) });
      const answer = (await response.json()) as ErrorBody & { detail: object[] };
      expect(response.status).toBe(422);
      expect(answer.error).toMatchObject({ code: 'validation_error', param: null });
      expect(answer.detail).toEqual([
        { loc: ['body'], msg: expect.stringMatching(/^The body is not valid/), type: 'json_invalid' },
      ]);
    }
  });
});

test('bodies are never logged', async () => {
  const canary = 'canary-7c1f';
  await send(chatBody({ messages: [{ role: 'user', content: canary }], user: canary }));
  await send(`{"model":"${textModel}","${canary}":`);
  await send(chatBody({ messages: canary }));
  await send(chatBody({ temperature: canary }));
  const last = await stage.ask('/v1/models', { headers });
  const isLast = (line: string) => line.includes(last.headers.get('x-request-id')!);
  await until(() => stage.api.lines.some(isLast));
  expect(stage.api.lines.join('\n')).not.toContain(canary);
});
