import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Context } from '../../../api/context.ts';
import { createServer, FlatResponse } from '../../../api/http/flatResponse.ts';
import { EventStream } from '../../../api/http/sse.ts';

const EVENTS = ['data: {"content":"plain"}\n\n', 'data: {"content":"Grüße, 世界 👩‍🚀"}\n\n'];

const server = createServer({ ServerResponse: FlatResponse }, (_req, res) => {
  const stream = new EventStream({ res, state: { begunAtMs: 0 } } as unknown as Context, '');
  for (const text of EVENTS) void stream.send(text);
  stream.end('data: [DONE]\n\n');
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

/** The body of an answer as its bytes are on the wire. */
async function bodyFor(version: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET / HTTP/${version}\r\nhost: here\r\nconnection: close\r\n\r\n`);
  const bytes: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => bytes.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(bytes).toString().split('\r\n\r\n').slice(1).join('\r\n\r\n');
}

const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

test('each piece of events is one chunk of the body, sized by its bytes', async () => {
  const all = [...EVENTS, 'data: [DONE]\n\n'];
  expect(await bodyFor('1.1')).toBe(`${all.map(chunkOf).join('')}0\r\n\r\n`);
});

test('a client of HTTP/1.0 gets no chunks', async () => {
  expect(await bodyFor('1.0')).toBe([...EVENTS, 'data: [DONE]\n\n'].join(''));
});
