import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { API_VERSION } from '../../api/http/flatResponse.ts';
import { SERVER_OPTIONS } from '../../api/server.ts';
import { chatBody, chatPath, setGuardStage, told, type ErrorBody } from '../support/guardStage.ts';
import { openSocket, readRaw, sendRaw, type RawAnswer } from '../support/http.ts';
import { until } from '../support/until.ts';

const voicePath = '/voiceapi/v1/text-to-speech/alloy';

// The same server with shorter timeouts: the real ones would make this file wait for 30 seconds.
const LESS = { headersTimeout: 3_000, requestTimeout: 6_000 };
const USUAL = { ...SERVER_OPTIONS };

Object.assign(SERVER_OPTIONS, LESS);
const stage = await setGuardStage().finally(() => Object.assign(SERVER_OPTIONS, USUAL));
const secret = (await stage.account({ creditUsd: '100' })).secret;
// These take as long as the timeouts, so they run beside the other tests.
const slowHeaders = sendSlowly(`POST ${chatPath} HTTP/1.1\r\nHost: a\r\nX-Slow: `, 'a');
const slowBody = sendSlowly(head({ length: 1_000 }), ' ');
const lateHead = sendLate();
afterAll(() => stage.close());

/** The head of a chat call. */
function head({ length, more = '', path = chatPath }: { length?: number; more?: string; path?: string } = {}): string {
  const size = length === undefined ? '' : `Content-Length: ${length}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\n${size}${more}\r\n`;
}

const call = (body = chatBody(), more = '') => head({ length: Buffer.byteLength(body), more }) + body;

/** The remaining data would take longer than a test, so only a limit of the server can end it. */
async function sendSlowly(start: string, drop: string): Promise<RawAnswer> {
  const socket = await openSocket(stage.api.url);
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), 500);
  const answer = await readRaw(socket);
  clearInterval(timer);
  return answer;
}

/** Opens a connection, and sends nothing for longer than the header timeout. */
async function sendLate(): Promise<RawAnswer> {
  const socket = await openSocket(stage.api.url);
  await sleep(LESS.headersTimeout + 3_000);
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return readRaw(socket);
}

async function expectRefusal(answer: RawAnswer, status: number, code: string): Promise<void> {
  expect(answer.status).toBe(status);
  const id = answer.headers.get('x-request-id')!;
  expect(id).toMatch(/^req_[0-9A-Za-z]{16}$/);
  // The error's request id is found in the log.
  await until(() => stage.api.lines.some((line) => line.includes(id)));
  expect(answer.headers.get('x-api-version')).toBe(API_VERSION);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { error } = JSON.parse(answer.body) as ErrorBody;
  expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'param', 'type']);
  expect(error.code).toBe(code);
}

describe('an ambiguous request is refused with 400 before any work, and its connection is closed', () => {
  const withHead = (more: string) => () => call(chatBody(), more);
  test.each<[string, () => string]>([
    ['two Host headers', withHead('Host: b\r\n')],
    ['two equal Host headers', withHead('Host: a\r\n')],
    ['no Host header', () => call().replace('Host: a\r\n', '')],
    ['a Host with a user', () => call().replace('Host: a', 'Host: user@a')],
    ['a Host with a path', () => call().replace('Host: a', 'Host: a/v1')],
    ['a Host with a query', () => call().replace('Host: a', 'Host: a?b')],
    ['an empty Host', () => call().replace('Host: a', 'Host: ')],
    ['an address of another scheme as target', () => call().replace(chatPath, `ftp://other.example${chatPath}`)],
    ['an address without a host', () => call().replace(chatPath, `http://${chatPath}`)],
    ['an address with a user', () => call().replace(chatPath, `http://user@other.example${chatPath}`)],
    ['an asterisk as target', () => 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a length and chunks', withHead('Transfer-Encoding: chunked\r\n')],
    ['two lengths', withHead('Content-Length: 3\r\n')],
    ['two equal lengths', () => call(chatBody(), `Content-Length: ${chatBody().length}\r\n`)],
    ['a length with a sign', () => call().replace(/Content-Length: /, 'Content-Length: +')],
    ['a hexadecimal length', () => call().replace(/Content-Length: /, 'Content-Length: 0x')],
    ['chunks that are not the last coding', () => head({ more: 'Transfer-Encoding: chunked, identity\r\n' })],
    ['chunks in disguise', () => head({ more: 'Transfer-Encoding: xchunked\r\n' })],
    ['a coding before the chunks', () => `${head({ more: 'Transfer-Encoding: gzip, chunked\r\n' })}0\r\n\r\n`],
    ['a folded header', withHead('X-Long: a\r\n b\r\n')],
    ['a bare line feed', () => call().replace('Host: a\r\n', 'Host: a\n')],
    ['a space before a colon', withHead('X-Odd : a\r\n')],
    ['a NUL in a header', withHead('X-Odd: a\0b\r\n')],
    ['a chunk without a size', () => `${head({ more: 'Transfer-Encoding: chunked\r\n' })}zz\r\nabc\r\n0\r\n\r\n`],
    ['a chunk longer than it says', () => `${head({ more: 'Transfer-Encoding: chunked\r\n' })}2\r\n{"abc\r\n0\r\n\r\n`],
    ['no HTTP at all', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['another version', () => call().replace('HTTP/1.1', 'HTTP/3.7')],
  ])('%s', async (_, textOf) => {
    const callsBefore = stage.upstream.calls().length;
    await expectRefusal(await sendRaw(stage.api.url, textOf()), 400, 'invalid_request');
    expect(stage.upstream.calls()).toHaveLength(callsBefore);
  });
});

test('an address as target is read as its path, as proxies get it, and its host counts', async () => {
  const statusOf = async (target: string, host = 'a/b') => {
    const bytes = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${secret}\r\nConnection: close\r\n\r\n`;
    return (await sendRaw(stage.api.url, bytes)).status;
  };
  expect(await statusOf('http://other.example:80/v1/models')).toBe(200);
  expect(await statusOf('HTTPS://other.example/v1/files?limit=x')).toBe(422);
  expect(await statusOf('http://other.example/v1/nothing')).toBe(404);
  expect(await statusOf('http://other.example?a=1')).toBe(await statusOf('/?a=1', 'a'));
});

test('answers 431 for headers above 16 KiB', async () => {
  const answer = await sendRaw(stage.api.url, call(chatBody(), `X-Long: ${'a'.repeat(17_000)}\r\n`));
  await expectRefusal(answer, 431, 'headers_too_large');
});

test('answers 405 for CONNECT', async () => {
  const answer = await sendRaw(stage.api.url, 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n');
  await expectRefusal(answer, 405, 'method_not_allowed');
});

test('takes a header that is sent twice with one value as sent once', async () => {
  const again = `X-Api-Key: ${secret}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  expect((await sendRaw(stage.api.url, call(chatBody(), again))).status).toBe(200);
  const other = `Content-Type: text/plain\r\nConnection: close\r\n`;
  expect((await sendRaw(stage.api.url, call(chatBody(), other))).status).toBe(415);
  await expectRefusal(await sendRaw(stage.api.url, call(chatBody(), 'Host: a\r\n')), 400, 'invalid_request');
});

test('answers an HTTP/1.0 request without a Host header', async () => {
  const answer = await sendRaw(stage.api.url, `GET /v1/models HTTP/1.0\r\nX-Api-Key: ${secret}\r\n\r\n`);
  expect(answer.status).toBe(200);
});

test('answers Expect: 100-continue, and ignores an unknown expectation', async () => {
  const body = chatBody();
  const socket = await openSocket(stage.api.url);
  const answer = readRaw(socket);
  socket.write(head({ length: body.length, more: 'Expect: 100-continue\r\nConnection: close\r\n' }));
  let text = '';
  socket.on('data', (part: string) => (text += part));
  await until(() => text.startsWith('HTTP/1.1 100 Continue'));
  socket.write(body);
  expect((await answer).text).toContain('HTTP/1.1 200 OK');
  const ignored = await sendRaw(stage.api.url, call(body, 'Expect: a-miracle\r\nConnection: close\r\n'));
  expect(ignored.status).toBe(200);
});

const waiting = 'Expect: 100-continue\r\n';
const form = 'Content-Type: multipart/form-data\r\n';
test.each([
  ['401', () => head({ length: 10, more: waiting }).replace(secret, 'none')],
  ['404', () => head({ length: 10, more: waiting, path: '/v1/nothing' })],
  ['413', () => head({ length: 1_000_000_000, more: waiting })],
  ['415', () => head({ length: 10, more: waiting }).replace('application/json', 'text/plain')],
  ['422', () => head({ length: 10, more: waiting, path: '/v1/files' }).replace(/Content-Type.*\r\n/, form)],
])('a client that waits for 100 Continue gets %s without it, and its connection is closed', async (status, headOf) => {
  const { text, headers } = await sendRaw(stage.api.url, headOf());
  expect(text.match(/^HTTP.1\.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`]);
  expect(headers.get('connection')).toBe('close');
});

test('answers a request for an unknown upgrade as a plain request', async () => {
  const more = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
  const answer = await sendRaw(
    stage.api.url,
    `GET /v1/models HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${secret}\r\n${more}\r\n`,
  );
  expect(answer.status).toBe(200);
});

test('bytes after a request do not reach the answer that is being streamed', async () => {
  const body = chatBody({ stream: true, messages: told({ text: 'word '.repeat(40), delayMs: 20 }) });
  const socket = await openSocket(stage.api.url);
  const answer = readRaw(socket);
  let text = '';
  socket.on('data', (part: string) => (text += part));
  socket.write(call(body));
  await until(() => text.includes('data: '));
  socket.write('GARBAGE\r\n\r\n');
  expect((await answer).text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test.each([
  ['is broken', 'zz\r\n'],
  ['stops', ''],
])('a body that %s after its early answer gets no second answer', async (_, rest) => {
  const socket = await openSocket(stage.api.url);
  const answer = readRaw(socket);
  let text = '';
  socket.on('data', (part: string) => (text += part));
  socket.write(head({ more: 'Transfer-Encoding: chunked\r\n' }).replace(secret, 'none'));
  await until(() => text.endsWith('}'));
  socket.write(`3\r\nabc\r\n${rest}`);
  expect((await answer).text.match(/HTTP.1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
});

test('bytes after a complete request do not replace its answer, which is the last', async () => {
  const { text } = await sendRaw(stage.api.url, `${call()}GARBAGE\r\n\r\n`);
  expect(text.match(/HTTP.1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(text).toContain('Connection: close');
});

test('pipelined requests on one connection are answered in order', async () => {
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${secret}\r\n${more}\r\n`;
  const { text } = await sendRaw(stage.api.url, call() + get('/nothing') + get('/v1/models', 'Connection: close\r\n'));
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '404', '200']);
});

test('a refused client that does not close its connection is disconnected', async () => {
  const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(stage.api.url)));
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  for (const socket of sockets) socket.resume().write('GARBAGE\r\n\r\n');
  await Promise.all(closed);
});

test('five hundred slow senders do not delay other answers', async () => {
  const sockets: Socket[] = await Promise.all(Array.from({ length: 500 }, () => openSocket(stage.api.url)));
  const text = head({ length: 100_000 });
  for (const [index, socket] of sockets.entries()) socket.write(index % 2 ? text : text.slice(0, 30));
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => stage.ask(chatPath, { headers: { 'x-api-key': secret }, body: chatBody() })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  for (const socket of sockets) socket.destroy();
});

test('a body that breaks off leaves no hold', async () => {
  const { secret: own, keyId } = await stage.account({ concurrencyLimit: 3 });
  const starts: [string, Buffer][] = [
    ['', Buffer.from('{"model":')],
    ['Content-Encoding: gzip\r\n', gzipSync(chatBody()).subarray(0, 40)],
  ];
  for (const [more, start] of starts) {
    for (let count = 0; count < 20; count += 1) {
      const socket = await openSocket(stage.api.url);
      socket.write(head({ length: 5_000, more }).replace(secret, own));
      socket.write(start);
      // The key lookup or the body may still be pending.
      if (count % 4 > 1) await nextTurn();
      if (count % 2) socket.destroy();
      else socket.end();
    }
  }
  const isBroken = (line: string) => line.includes('"status":408') && line.includes(keyId);
  const logged = () => stage.api.lines.filter(isBroken).length;
  await until(() => logged() === 40);
  const response = await stage.ask('/v1/models', { headers: { 'x-api-key': own } });
  expect(response.headers.get('x-ratelimit-remaining-concurrency')).toBe('2');
});

test('answers 408 for headers that take more than 10 seconds', async () => {
  await expectRefusal(await slowHeaders, 408, 'request_timeout');
  expect(SERVER_OPTIONS.headersTimeout).toBe(10_000);
});

test('a connection that was opened in advance stays usable', async () => {
  expect((await lateHead).status).toBe(200);
});

test('answers 408 for a body that takes more than 30 seconds', async () => {
  await expectRefusal(await slowBody, 408, 'request_timeout');
  expect(SERVER_OPTIONS.requestTimeout).toBe(30_000);
});

test.each([
  ['in its head', () => `${head({ path: voicePath }).slice(0, -2)}A : b\r\n\r\n`],
  ['in its body', () => `${head({ path: voicePath, more: 'Transfer-Encoding: chunked\r\n' })}3\r\nabc\r\nzz\r\n`],
])('what is no HTTP %s has the detail of ElevenLabs on its paths, and nowhere else', async (_, bytes) => {
  const voice = await sendRaw(stage.api.url, bytes());
  const text = await sendRaw(stage.api.url, bytes().replace(voicePath, chatPath));
  const { error } = JSON.parse(text.body) as ErrorBody;
  expect([text.status, error.code]).toEqual([400, 'invalid_request']);
  expect(JSON.parse(text.body)).toEqual({ error });
  expect(JSON.parse(voice.body)).toEqual({ error, detail: { status: error.code, message: error.message } });
});
