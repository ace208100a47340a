import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import type { State } from '../../../api/context.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { readForm } from '../../../api/body/multipart.ts';
import { enforceUploadRate } from '../../../api/body/uploadRate.ts';
import { refuseBadRequests } from '../../../api/server.ts';
import { openSocket, readRaw } from '../../support/http.ts';

// A server with a timeout of a second per request, and a rate of one byte per second for uploads.
const serverLimits = { requestTimeout: 1_000, headersTimeout: 1_000, connectionsCheckingInterval: 20 };
const uploadRate = { bytesMin: 1, windowMs: 1_000 };
// A key that is never revoked.
const state = { key: { keyId: 'key_1' } } as State;
const keys = { watch: () => () => {} };

const start = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
const end = '\r\n--edge--\r\n';

const server = createServer(serverLimits, (req, res) => {
  const takeFile = async (bytes: AsyncIterable<Buffer>) => {
    let text = '';
    for await (const part of bytes) {
      text += part.toString();
      if (text.includes('!')) throw new Error('refused');
    }
    return { text, drop: async () => {} };
  };
  readForm({ req, res, state }, { keys, takeFile, uploadRate }).then(
    ({ file }) => res.end(file?.content.text),
    (error: unknown) => {
      const { status, code } = asApiError(error, 'req_1');
      res.writeHead(status).end(code);
    },
  );
});
refuseBadRequests(server, () => {});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterEach(() => void jest.useRealTimers());
afterAll(() => new Promise((resolve) => server.close(resolve)));

const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** The start of an upload of unknown length. */
async function begin(connection: 'close' | 'keep-alive' = 'close'): Promise<Socket> {
  const socket = await openSocket(url);
  const type = 'Content-Type: multipart/form-data; boundary=edge';
  const head = `POST / HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(head + chunkOf(start));
  return socket;
}

describe('an upload', () => {
  test('may exceed the request timeout as long as it keeps the minimum rate', async () => {
    const socket = await begin();
    const answer = readRaw(socket);
    const startedAtMs = performance.now();
    // Without a pause, so that a stalled machine does not count as a slow sender.
    while (performance.now() - startedAtMs < 2 * serverLimits.requestTimeout) {
      socket.write(chunkOf('x'));
      await nextTurn();
    }
    socket.write(`${chunkOf(end)}${chunkOf('')}`);
    expect(await answer).toMatchObject({ status: 200, body: expect.stringMatching(/x{12}/) });
  });

  test('may be slow for two windows, as long as any other body may take', () => {
    jest.useFakeTimers();
    const socket = { bytesRead: 0 };
    const req = Object.assign(new EventEmitter(), { socket, readableLength: 0 }) as unknown as IncomingMessage;
    let slow = 0;
    enforceUploadRate(req, () => (slow += 1), { bytesMin: 100, windowMs: 15_000 });
    jest.advanceTimersByTime(29_000);
    expect(slow).toBe(0);
    socket.bytesRead = 99;
    jest.advanceTimersByTime(60_000);
    expect(slow).toBe(1);
  });

  test('that is too slow gets an error and is disconnected', async () => {
    const socket = await begin();
    socket.write(chunkOf('x'));
    expect(await readRaw(socket)).toMatchObject({ status: 408, body: expect.stringContaining('request_timeout') });
  });

  test('that was refused during its file is disconnected too when the rest is too slow', async () => {
    const socket = await begin('keep-alive');
    socket.write(chunkOf('!'));
    expect(await readRaw(socket)).toMatchObject({ status: 500, body: expect.stringContaining('internal_error') });
  });

  test('is only a form: other bodies have the usual request timeout, even after an early refusal', async () => {
    const socket = await openSocket(url);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n');
    expect(await readRaw(socket)).toMatchObject({ status: 400 });
  });
});
