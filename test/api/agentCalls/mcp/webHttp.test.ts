import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Context } from '../../../../api/context.ts';
import { answerOf } from '../../../../api/agentCalls/mcp/answerMcp.ts';
import { openSocket } from '../../../support/http.ts';
import { until } from '../../../support/until.ts';

const PIECE = Buffer.alloc(1024 * 1024, 'a');
const PIECES = 64;

test('a slow reader gets the whole answer, and its waits leave no listeners behind', async () => {
  let taken = 0;
  let listeners = 0;
  const body = new ReadableStream({
    pull: (controller) => (taken++ < PIECES ? controller.enqueue(PIECE) : controller.close()),
  });
  const server = createServer((_, res) => {
    const ctx = { res } as unknown as Context;
    res.on('drain', () => (listeners = Math.max(listeners, res.listenerCount('close'))));
    void answerOf(ctx, new Response(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = await openSocket(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await until(() => taken > 2);
    let bytes = 0;
    socket.on('data', (part: Buffer) => (bytes += part.length));
    await until(() => bytes > PIECES * PIECE.length);
    expect(listeners).toBeGreaterThan(0);
    expect(listeners).toBeLessThan(10);
  } finally {
    socket.destroy();
    server.close();
  }
});
