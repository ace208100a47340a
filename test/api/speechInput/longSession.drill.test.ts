import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { setAudioStage } from '../../flow/stages/audioStage.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { startApiProcess, type ApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { soundOf, speechSockets } from './speechInputStage.ts';

const creditNanos = 100_000_000_000n;
const MB = 1_000_000;
const sentence = 'This is a sentence of a very long speech, and there is always another one after it. ';

const [stage, scripted] = await Promise.all([
  setGuardStage({ start: startApiProcess }),
  setAudioStage({ apis: 1, start: startApiProcess }),
]);
afterAll(async () => {
  await Promise.all([stage.close(), scripted.close()]);
});

async function residentBytes({ pid }: ApiProcess): Promise<number> {
  return Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]) * 4_096;
}

test('half an hour of speech in one session leaves memory where it was', async () => {
  const { secret } = await stage.account({ balanceNanos: creditNanos });
  const socket = await speechSockets(() => stage.api.url).open([{ text: ' ' }], {
    key: secret,
    query: 'output_format=mp3_44100_128',
  });
  let seconds = 0;
  const sizes: number[] = [];
  for (let turn = 1; seconds < 1_800; turn++) {
    socket.send({ text: sentence.repeat(4), flush: true });
    await until(() => socket.frames.some(({ flushed }) => flushed), { timeoutMs: 60_000 });
    seconds += soundOf(socket.frames).length / 16_000;
    socket.frames.splice(0);
    if (turn % 10 === 0) sizes.push(await residentBytes(stage.api));
  }
  socket.send({ text: '' });
  expect((await socket.closed).code).toBe(1000);
  const early = sizes.slice(1, 4).reduce((sum, size) => sum + size, 0) / 3;
  const late = sizes.slice(-3).reduce((sum, size) => sum + size, 0) / 3;
  console.log(`resident memory in MB: ${sizes.map((size) => Math.round(size / MB)).join(' ')}`);
  expect(late - early).toBeLessThan(30 * MB);
}, 900_000);

test('the first sound comes about as soon as over HTTP', async () => {
  const { secret } = await stage.account({ balanceNanos: creditNanos });
  const query = 'output_format=mp3_44100_128&enable_logging=false';
  const overHttp = async () => {
    const startMs = performance.now();
    const response = await fetch(`${stage.api.url}/voiceapi/v1/text-to-speech/alloy/stream?${query}`, {
      method: 'POST',
      headers: { 'xi-api-key': secret, 'content-type': 'application/json' },
      body: JSON.stringify({ text: sentence }),
    });
    const reader = response.body!.getReader();
    await reader.read();
    const firstMs = performance.now() - startMs;
    await reader.cancel();
    return firstMs;
  };
  const sockets = speechSockets(() => stage.api.url);
  const overSocket = async () => {
    const socket = await sockets.open([{ text: ' ' }], { key: secret, query });
    const startMs = performance.now();
    const first = new Promise<number>((resolve) =>
      socket.ws.once('message', () => resolve(performance.now() - startMs)),
    );
    socket.send({ text: sentence, flush: true });
    const firstMs = await first;
    socket.ws.terminate();
    return firstMs;
  };
  const times: { http: number[]; socket: number[] } = { http: [], socket: [] };
  for (let round = 0; round < 15; round++) {
    times.http.push(await overHttp());
    times.socket.push(await overSocket());
  }
  const median = (values: number[]) => values.toSorted((one, other) => one - other)[7]!;
  const [http, socket] = [median(times.http), median(times.socket)];
  console.log(`first sound in ms: HTTP ${http.toFixed(1)}, socket ${socket.toFixed(1)}`);
  expect(socket / http).toBeLessThan(2);
});

test('a client that reads nothing stops its speech, not the memory of the process, and gets all of it later', async () => {
  scripted.voice.setScript({});
  const account = await scripted.account({ balanceNanos: creditNanos });
  const api = scripted.running[0]!;
  const before = await residentBytes(api);
  const text = sentence.repeat(450);
  const socket = await speechSockets(() => api.url).open([], {
    key: account.secret,
    query: 'output_format=pcm_48000&enable_logging=false',
  });
  socket.ws.pause();
  socket.send({ text: ' ' });
  socket.send({ text });
  socket.send({ text: '' });
  const produced = () => scripted.voice.calls().reduce((sum, call) => sum + call.producedCharacters, 0);
  let last = -1;
  const hasStopped = () => {
    const isSame = produced() > 0 && produced() === last;
    last = produced();
    return isSame;
  };
  await until(hasStopped, { pollMs: 2_000, timeoutMs: 120_000 });
  expect(produced()).toBeLessThan(text.length / 2);
  expect((await residentBytes(api)) - before).toBeLessThan(100 * MB);
  socket.ws.resume();
  expect((await socket.closed).code).toBe(1000);
  expect(socket.frames.at(-1)).toMatchObject({ isFinal: true, character_count: text.length });
});

test('a flood of frames makes its sender wait, and no other call', async () => {
  const { api } = stage;
  const { secret } = await stage.account({ balanceNanos: creditNanos });
  const before = await residentBytes(api);
  const socket = await speechSockets(() => api.url).open([{ text: ' ' }], { key: secret });
  for (let sent = 0; sent < 300_000; sent++) socket.ws.send('{"text":"flood "}');
  const tookMs: number[] = [];
  for (let asked = 0; asked < 20; asked++) {
    const startMs = performance.now();
    await fetch(`${api.url}/healthz`);
    tookMs.push(performance.now() - startMs);
  }
  console.log(`healthz beside a flood in ms: ${tookMs.map(Math.round).join(' ')}`);
  expect((await residentBytes(api)) - before).toBeLessThan(150 * MB);
  expect([socket.ws.readyState, socket.frames.at(-1)?.error]).toEqual([socket.ws.OPEN, undefined]);
  socket.ws.terminate();
});
