import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setGuardStage } from '../../support/guardStage.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { openWebSocket, refusalAt, socketAt, type TestSocket } from '../../support/webSocket.ts';

const path = '/v1/realtime?model=gpt-realtime';
const textOnly = { type: 'realtime', output_modalities: ['text'], audio: { input: { turn_detection: null } } };

const stage = await setGuardStage({ start: startApiProcess });
const key = (await stage.account({ concurrencyLimit: 5_000 })).secret;
afterAll(() => stage.close());

const rssBytes = () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${stage.api.pid}/status`, 'utf8'))![1]) * 1024;

async function open(): Promise<TestSocket> {
  const socket = await socketAt(stage.url, path, { key });
  await socket.next('session.created');
  return socket;
}

async function answered(socket: TestSocket): Promise<string> {
  socket.send({ type: 'session.update', session: textOnly });
  socket.send({ type: 'response.create' });
  return ((await socket.next('response.done')).response as { status: string }).status;
}

test('thousands of idle sockets take at most 50 KB each', async () => {
  const sockets: TestSocket[] = [];
  const openThousand = async () => {
    for (let at = 0; at < 50; at++) sockets.push(...(await Promise.all(Array.from({ length: 20 }, open))));
  };
  // The first thousand also grows the heap's young generation to its size.
  await openThousand();
  await answered(sockets[0]!);
  const before = rssBytes();
  // Garbage that is not collected yet weighs less beside more sockets.
  for (let at = 0; at < 3; at++) await openThousand();
  const bytesEach = (rssBytes() - before) / 3_000;
  process.stdout.write(`${Math.round(bytesEach / 1_024)} KB for each idle socket\n`);
  expect(bytesEach).toBeLessThan(50 * 1024);
  expect(await answered(sockets.at(-1)!)).toBe('completed');
  for (const { ws } of sockets) ws.terminate();
});

test('a flood of frames is read no faster than it is handled, and others are answered meanwhile', async () => {
  const [flood, other] = [await open(), await open()];
  await answered(other);
  const before = rssBytes();
  const frame = JSON.stringify({ type: 'nonsense', padding: 'x'.repeat(1_000) });
  for (let at = 0; at < 50_000; at++) flood.ws.send(frame);
  expect(await answered(other)).toBe('completed');
  expect(rssBytes() - before).toBeLessThan(100 * 1024 * 1024);
  flood.ws.terminate();
  other.ws.terminate();
});

test('a client that reads nothing of an answer makes it wait, and grows no memory', async () => {
  const slow = await open();
  const ask = (text: string) => {
    const content = [{ type: 'input_text', text: JSON.stringify({ scripted: { text } }) }];
    slow.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    slow.send({ type: 'response.create' });
  };
  // Loads the voice and the encoder.
  ask('One two three four five six seven. '.repeat(20));
  await slow.next('response.done');
  const before = rssBytes();
  const heard = slow.events.length;
  ask('One two three four five six seven. '.repeat(400));
  await until(() => slow.events.slice(heard).some(({ type }) => type === 'response.output_audio.delta'));
  slow.ws.pause();
  const other = await open();
  for (let at = 0; at < 5; at++) await answered(other);
  expect(rssBytes() - before).toBeLessThan(100 * 1024 * 1024);
  slow.ws.terminate();
  other.ws.terminate();
});

test('a flood of handshakes is refused, and a session beside it is answered', async () => {
  const session = await open();
  await answered(session);
  const before = rssBytes();
  const wrong = Array.from({ length: 2_000 }, () => refusalAt(stage.url, path, { key: 'sk_live_unknown' }));
  // Sockets that may send their key in the first frame; more of them than may wait for one.
  const keyless = Array.from({ length: 600 }, () =>
    openWebSocket(stage.url, '/voiceapi/v1/text-to-speech/alloy/stream-input'),
  );
  expect(await answered(session)).toBe('completed');
  expect(new Set((await Promise.all(wrong)).map(({ status }) => status))).toEqual(new Set([401]));
  const opened = (await Promise.all(keyless)).flatMap((one) => ('ws' in one ? [one] : []));
  expect(opened.length).toBe(500);
  expect(await answered(session)).toBe('completed');
  for (const { ws } of [...opened, session]) ws.terminate();
  expect(rssBytes() - before).toBeLessThan(100 * 1024 * 1024);
});
