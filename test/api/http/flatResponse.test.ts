import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FlatResponse } from '../../../api/http/flatResponse.ts';

let server: Server<typeof IncomingMessage, typeof FlatResponse>;
let respond: (res: FlatResponse) => void;

beforeEach(async () => {
  server = createServer({ ServerResponse: FlatResponse }, (_req, res) => {
    respond(res);
    res.end('.');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** The answer of a handler. */
function answerOf(work: (res: FlatResponse) => void): Promise<Response> {
  respond = work;
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test("sends set headers once for each name in any case, together with Node's own", async () => {
  const { headers, status } = await answerOf((res) => {
    res.statusCode = 202;
    res.setHeader('x-one', 'first').setHeader('X-One', 'second').setHeader('x-count', 3);
    res.setHeader('vary', ['origin', 'accept']);
  });
  expect(status).toBe(202);
  expect(Object.fromEntries(headers)).toMatchObject({ 'x-one': 'second', 'x-count': '3', vary: 'origin, accept' });
  expect(headers.get('date')).not.toBeNull();
});

test('returns set headers and drops removed ones', async () => {
  const results: unknown[] = [];
  const { headers } = await answerOf((res) => {
    results.push(res.hasHeader('x-a'), res.getHeaderNames());
    res.setHeader('X-A', '1').setHeader('x-b', '2');
    results.push(res.hasHeader('x-a'), res.getHeader('x-A'), res.getHeaders());
    res.removeHeader('x-a');
    res.removeHeader('x-c');
    results.push(res.getHeader('x-a'), res.getHeaderNames());
  });
  expect(results).toEqual([false, [], true, '1', { 'x-a': '1', 'x-b': '2' }, undefined, ['x-b']]);
  expect([headers.get('x-a'), headers.get('x-b')]).toEqual([null, '2']);
});

test('headers of writeHead replace earlier ones, with a reason phrase or without', async () => {
  const late = (res: FlatResponse) => res.setHeader('content-type', 'text/plain').setHeader('x-kept', 'yes');
  const html = { 'Content-Type': 'text/html', 'x-none': undefined };
  const writes: [string, (res: FlatResponse) => FlatResponse][] = [
    ['Non-Authoritative Information', (res) => late(res).writeHead(203, html)],
    ['Well', (res) => late(res).writeHead(203, 'Well', html)],
  ];
  for (const [reason, write] of writes) {
    const { headers, status, statusText } = await answerOf((res) => void write(res));
    expect([status, statusText]).toEqual([203, reason]);
    expect([headers.get('content-type'), headers.get('x-kept')]).toEqual(['text/html', 'yes']);
    expect(headers.has('x-none')).toBe(false);
  }
});

test('refuses a value with a line end, and headers after the head was sent', async () => {
  const failures: unknown[] = [];
  const attempt = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      failures.push((error as Error).message);
    }
  };
  const { headers } = await answerOf((res) => {
    attempt(() => res.setHeader('x-bad', 'a\r\nx-smuggled: b'));
    res.flushHeaders();
    attempt(() => res.setHeader('x-late', '1'));
  });
  expect(failures).toEqual([expect.stringMatching(/invalid character/i), 'the head left before "x-late" was set']);
  expect(headers.has('x-bad') || headers.has('x-smuggled') || headers.has('x-late')).toBe(false);
});
