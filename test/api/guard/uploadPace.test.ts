import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { State } from '../../../api/context.ts';
import { asApiError } from '../../../api/guard/errors.ts';
import { readForm } from '../../../api/guard/multipart.ts';
import { refuseBadRequests } from '../../../api/server.ts';
import { openSocket, readRaw } from '../../support/rawHttp.ts';

// A server that gives a request 300 ms, and an upload 400 ms for each byte.
const serverLimits = { requestTimeout: 300, headersTimeout: 300, connectionsCheckingInterval: 20 };
const pace = { bytesMin: 1, windowMs: 400 };
// Of a key that nobody revokes.
const state = { key: { keyId: 'key_1' } } as State;
const keys = { watch: () => () => {} };

const start = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
const end = '\r\n--edge--\r\n';

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(serverLimits, (req, res) => {
    const takeFile = async (bytes: AsyncIterable<Buffer>) => {
      let text = '';
      for await (const part of bytes) {
        text += part.toString();
        if (text.includes('!')) throw new Error('refused');
      }
      return { text, drop: async () => {} };
    };
    readForm({ req, res, state }, { keys, takeFile, pace }).then(
      ({ file }) => res.end(file?.content.text),
      (error: unknown) => {
        const { status, code } = asApiError(error, 'req_1');
        res.writeHead(status).end(code);
      },
    );
  });
  refuseBadRequests(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function begin(contentBytes: number, connection: 'close' | 'keep-alive' = 'close'): Promise<Socket> {
  const socket = await openSocket(url);
  const length = start.length + contentBytes + end.length;
  const type = 'Content-Type: multipart/form-data; boundary=edge';
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n${type}\r\nContent-Length: ${length}\r\n\r\n${start}`,
  );
  return socket;
}

describe('an upload', () => {
  test('may take longer than other requests as long as it keeps its pace', async () => {
    const socket = await begin(12);
    const answer = readRaw(socket);
    for (let sent = 0; sent < 12; sent += 1) {
      await sleep(100);
      socket.write('x');
    }
    socket.write(end);
    expect(await answer).toMatchObject({ status: 200, body: expect.stringContaining('xxxxxxxxxxxx') });
  });

  test('that falls behind is told so and cut', async () => {
    const socket = await begin(12);
    socket.write('x');
    expect(await readRaw(socket)).toMatchObject({ status: 408, body: expect.stringContaining('request_timeout') });
  });

  test('that is refused amid its file is cut too when the rest falls behind', async () => {
    const socket = await begin(12, 'keep-alive');
    socket.write('!');
    expect(await readRaw(socket)).toMatchObject({ status: 500, body: expect.stringContaining('internal_error') });
  });

  test('is a form: any other body has the time of all requests, although its refusal came before', async () => {
    const socket = await openSocket(url);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n');
    expect(await readRaw(socket)).toMatchObject({ status: 400 });
  });
});
