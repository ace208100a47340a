import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect as connectTcp, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { watchConnections, type ConnectionLimits, type Drain } from '../../../api/http/connections.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { openSocket } from '../../support/http.ts';
import { until } from '../../support/until.ts';

// More than the system buffers for a client that does not read.
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'a');
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const identity = makeCertificate();

const opened: { server: Server; drain: () => Drain }[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  const drains = opened.splice(0).map(({ drain }) => drain());
  for (const drain of drains) drain.closeAll();
  await Promise.all(drains.map(({ closed: isOver }) => isOver));
});

async function open(server: Server, limits?: ConnectionLimits) {
  const drain = watchConnections(server, limits);
  opened.push({ server, drain });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, drain };
}

async function connect(url: string): Promise<Socket> {
  const socket = await openSocket(url);
  clients.push(socket);
  return socket;
}

const closed = (socket: Socket) => {
  let isClosed = false;
  socket.once('close', () => (isClosed = true));
  return () => isClosed;
};

describe('a client that reads nothing of its answer', () => {
  const limits = { connectionsMax: 100, stallMs: 1_000 };

  test.each([
    ['', (handle: RequestListener) => createServer(handle)],
    [' over TLS', (handle: RequestListener) => createTlsServer(identity, handle)],
  ])('is disconnected%s', async (over, make) => {
    let hasLeft = false;
    const server = make((_, res) => res.on('close', () => (hasLeft = true)).end(LARGE));
    const { url, port } = await open(server, limits);
    if (over === '') (await connect(url)).write(GET);
    else {
      const socket = connectTls({ port, host: '127.0.0.1', ca: identity.cert }).on('error', () => {});
      clients.push(socket);
      await once(socket, 'secureConnect');
      socket.write(GET);
    }
    await until(() => hasLeft);
  });

  test('does not include one that reads slowly or that waits for its answer', async () => {
    const handle: RequestListener = ({ url }, res) => {
      if (url === '/') res.end(LARGE);
      else setTimeout(() => res.end('at last'), 3 * limits.stallMs);
    };
    const { url } = await open(createServer(handle), limits);
    const slow = await connect(url);
    const waiting = await connect(url);
    const isGone = closed(slow);
    let answer = '';
    let bytes = 0;
    waiting.setEncoding('latin1').on('data', (text: string) => (answer += text));
    waiting.write(GET.replace('/', '/later'));
    slow.write(GET);
    while (bytes < LARGE.length && !isGone()) {
      bytes += (slow.read() as Buffer | null)?.length ?? 0;
      await sleep(5);
    }
    expect(bytes).toBeGreaterThanOrEqual(LARGE.length);
    await until(() => answer.endsWith('at last'));
  });
});

test('closes a connection above the limit at once, and keeps the others', async () => {
  const { url } = await open(
    createServer((_, res) => res.end('here')),
    { connectionsMax: 2, stallMs: 60_000 },
  );
  const [first] = [await connect(url), await connect(url)];
  const more = await connect(url);
  const isRefused = closed(more.resume());
  await until(isRefused);
  first.write(GET);
  const [answer] = (await once(first.setEncoding('latin1'), 'data')) as [string];
  expect(answer).toContain('200 OK');
});

test('a client that never completes the TLS handshake does not delay the shutdown', async () => {
  const { url, drain } = await open(createTlsServer(identity, (_, res) => res.end('here')));
  const silent = await connect(url);
  const halting = await connect(url);
  halting.write(Buffer.from('160301020001', 'hex'));
  const areGone = [silent, halting].map((socket) => closed(socket.resume()));
  // The server may notice its connections after the clients do.
  await until(() => countOf(opened[0]!.server) === 2);
  await drain().closed;
  await until(() => areGone.every((isGone) => isGone()));
});

describe('a request that arrives as a shutdown begins is answered', () => {
  const answerOn = async (socket: Socket): Promise<string> => {
    let answer = '';
    for await (const text of socket.setEncoding('latin1')) answer += text as string;
    return answer;
  };

  test('on a connection that has just been accepted', async () => {
    const { url, drain } = await open(createServer((_, res) => res.end('here')));
    const socket = await connect(url);
    await until(() => countOf(opened[0]!.server) === 1);
    const answer = answerOn(socket);
    const { closed: isOver } = drain();
    socket.write(GET.slice(0, 10));
    await sleep(100);
    socket.write(GET.slice(10));
    expect(await answer).toMatch(/^HTTP.1.1 200 OK[^]*here$/);
    await isOver;
  });

  test('on connections that still wait to be accepted', async () => {
    const { port, drain } = await open(createServer((_, res) => res.end('here')));
    const sockets = Array.from({ length: 20 }, () => connectTcp(port, '127.0.0.1'));
    clients.push(...sockets);
    for (const socket of sockets) socket.write(GET);
    // The system has opened them all, and the server accepts one in each turn of the event loop.
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(countOf(opened[0]!.server)).toBeLessThan(20);
    const { closed: isOver } = drain();
    for (const answer of await Promise.all(sockets.map(answerOn))) expect(answer).toContain('200 OK');
    await isOver;
  });
});

let connectionCount = 0;
function countOf(server: Server): number {
  server.getConnections((_, count) => (connectionCount = count));
  return connectionCount;
}
