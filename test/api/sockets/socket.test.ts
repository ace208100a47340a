import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../../../api/context.ts';
import { createShutdown } from '../../../api/http/shutdown.ts';
import type { Services } from '../../../api/services.ts';
import { ClientSocket, closeReasonOf, type SocketManner } from '../../../api/sockets/socket.ts';

const servers: WebSocketServer[] = [];
const shutdown = createShutdown();

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A socket of the service, and its client, which answers pings unless it is told not to. */
async function connect(manner: Partial<SocketManner> = {}, { autoPong = true } = {}) {
  const server = new WebSocketServer({ port: 0 });
  servers.push(server);
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>;
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong });
  const [ws, req] = await accepted;
  const services = { shutdown } as unknown as Services;
  const errorEvent = (error: object) => ({ type: 'error', error });
  const socket = new ClientSocket({ req } as Context, services, ws, { errorEvent, ...manner });
  await once(client, 'open');
  return { socket, client, connection: req.socket };
}

test.each([
  ['No such voice.', 'No such voice.'],
  ['x'.repeat(123), 'x'.repeat(123)],
  ['x'.repeat(124), `${'x'.repeat(120)}…`],
  [`xx${'語'.repeat(50)}`, `xx${'語'.repeat(39)}…`],
])('a reason fits its frame: %s', (sentence, reason) => expect(closeReasonOf(sentence)).toBe(reason));

test('a peer that answers no ping is disconnected, one that does is not', async () => {
  const dead = await connect({ pingMs: 20 }, { autoPong: false });
  const live = await connect({ pingMs: 20 });
  await dead.socket.closed;
  expect(live.socket.isOpen).toBe(true);
  live.socket.close();
  await live.socket.closed;
});

test('events of one turn are written together, and large ones soon', async () => {
  const { socket, client, connection } = await connect();
  const writes = jest.spyOn(connection, '_writev' as 'write');
  let received = 0;
  const took = (count: number) =>
    new Promise<void>((resolve) => client.on('message', () => ++received === count && resolve()));
  const tookAll = took(60);
  for (let sent = 0; sent < 50; sent++) void socket.send({ sent });
  expect(writes).not.toHaveBeenCalled();
  await Promise.resolve();
  void socket.send({ sent: 'in a later step of the same turn' });
  await new Promise((resolve) => process.nextTick(resolve));
  expect(writes).toHaveBeenCalledTimes(1);
  for (let sent = 0; sent < 9; sent++) void socket.send({ text: 'x'.repeat(30_000) });
  expect(writes).toHaveBeenCalledTimes(4);
  await tookAll;
  client.terminate();
  await socket.closed;
});

test('a sender waits for a client that reads slowly, and goes on when it has read', async () => {
  const { socket, client } = await connect();
  client.pause();
  const event = { type: 'data', text: 'x'.repeat(100_000) };
  let waiting: Promise<void> | undefined;
  for (let sent = 0; !waiting && sent < 1_000; sent++) waiting = socket.send(event);
  expect(waiting).toBeDefined();
  client.resume();
  await waiting;
  client.terminate();
  await socket.closed;
});

test('a client that reads nothing loses its socket where senders do not wait', async () => {
  const { socket, client } = await connect();
  client.pause();
  const event = { type: 'data', text: 'x'.repeat(100_000) };
  for (let sent = 0; socket.isOpen && sent < 1_000; sent++) void socket.send(event);
  expect(socket.isOpen).toBe(false);
  client.terminate();
  await socket.closed;
});

test('messages are handled one after another, in their order', async () => {
  const { socket, client } = await connect();
  const handled: string[] = [];
  let isHandling = false;
  const all = new Promise<void>((resolve) =>
    socket.onMessages(async (message) => {
      expect(isHandling).toBe(false);
      isHandling = true;
      await new Promise((next) => setImmediate(next));
      isHandling = false;
      if (handled.push(message.toString()) === 500) resolve();
    }),
  );
  for (let at = 0; at < 500; at++) client.send(String(at));
  await all;
  expect(handled).toEqual(Array.from({ length: 500 }, (_, at) => String(at)));
  client.terminate();
  await socket.closed;
});

test('a client that asks for much at once gets all of it, however fast it asks', async () => {
  const { socket, client } = await connect();
  const answers = 40;
  const got = new Promise<number>((resolve) => {
    let count = 0;
    client.on('message', () => ++count === answers && resolve(count));
    client.on('close', () => resolve(count));
  });
  // Nobody waits for these: together they are ten times what a socket may have unread.
  socket.onMessages(() => void socket.send({ type: 'data', text: 'x'.repeat(1_000_000) }));
  for (let at = 0; at < answers; at++) client.send('more');
  expect(await got).toBe(answers);
  client.terminate();
  await socket.closed;
});
