import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createAudioCalls, jsonOf } from '../../providers/voiceUpstream/audioCalls.ts';
import { chat, never, providerAt, type OpenAiProvider } from './openaiStage.ts';

// Undici closes an unused connection after this time by default.
const UNDICI_TIMER_MS = 4_500;
/** Connections used concurrently: as many as the provider may have. */
const KEPT = 16;

/** The server's behaviour on a connection's second call and on its first. */
let onSecond: (socket: Socket) => void;
let calls: number;
let connections: number;
let server: Server;
let address: string;
let provider: OpenAiProvider;

beforeEach(async () => {
  [calls, connections] = [0, 0];
  onSecond = () => {};
  const used = new WeakSet<Socket>();
  server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    calls += 1;
    if (used.has(request.socket)) return onSecond(request.socket);
    used.add(request.socket);
    request.resume().on('end', () => response.end('{"choices": [{}]}'));
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = providerAt(address);
});

afterEach(async () => {
  await provider.close();
  server.close();
  server.closeAllConnections();
});

/** A call, and the turn in which its connection is returned. */
async function ask() {
  const answer = await provider.answer('chat/completions', chat(), never);
  await nextTurn();
  return answer;
}

/** Makes every later call end its connection. */
function closeAll(): void {
  server.removeAllListeners('request').on('request', ({ socket }) => {
    calls += 1;
    socket.end();
  });
}

test.each<[string, (socket: Socket) => void]>([
  ['closes', (socket) => void socket.end()],
  ['resets', (socket) => void socket.resetAndDestroy()],
])('a call on a kept connection that its upstream %s is retried on a new one', async (_how, end) => {
  onSecond = end;
  await ask();
  expect(await ask()).toEqual({ choices: [{}] });
  expect([calls, connections]).toEqual([3, 2]);
});

test('an upstream that resets all kept connections at once causes no failed call', async () => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  onSecond = (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{"choices": [{}]}');
  for (let round = 1; round <= KEPT; round += 1) {
    await Promise.all(Array.from({ length: KEPT }, ask));
    // The closes are not yet noticed when the next calls are sent.
    for (const socket of sockets) socket.resetAndDestroy();
    const answers = await Promise.all(Array.from({ length: round }, ask));
    expect(answers).toEqual(answers.map(() => ({ choices: [{}] })));
  }
});

test('a call for audio is retried too', async () => {
  onSecond = (socket) => void socket.end();
  const limits = { idleTimeoutMs: 200_000, answerTimeoutMs: 200_000, connectTimeoutMs: 200_000, connectionsMax: 4 };
  const audio = createAudioCalls({ baseUrl: address, ...limits }, {});
  const say = () => jsonOf(audio.post('audio/speech', { input: 'Hello.' }, never));
  await say();
  await nextTurn();
  expect(await say()).toEqual({ choices: [{}] });
  expect([calls, connections]).toEqual([3, 2]);
  await audio.close();
});

test('a call is not tried a third time when new connections are closed too', async () => {
  await ask();
  closeAll();
  await expect(ask()).rejects.toMatchObject({ name: 'ProviderError', fault: 'unreachable' });
  expect(calls).toBe(3);
});

test('a call whose own new connection is closed is not retried', async () => {
  closeAll();
  await expect(ask()).rejects.toMatchObject({ name: 'ProviderError', fault: 'unreachable' });
  expect(calls).toBe(1);
});

test('an idle connection is kept', async () => {
  await ask();
  await sleep(UNDICI_TIMER_MS);
  onSecond = (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{"choices": [{}]}');
  await ask();
  expect([calls, connections]).toEqual([2, 1]);
});
