import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { socketAt } from '../../support/webSocket.ts';

const BYTES_A_SECOND = 48_000;
const MB = 1_000_000;

const stage = await setGuardStage({ start: startApiProcess });
afterAll(() => stage.close());

async function residentBytes(): Promise<number> {
  return Number((await readFile(`/proc/${stage.api.pid}/statm`, 'utf8')).split(' ')[1]) * 4_096;
}

async function spoken(key: string, input: string): Promise<Buffer> {
  const body = JSON.stringify({ model: 'tts-1', voice: 'alloy', response_format: 'pcm', input });
  const answer = await stage.ask('/v1/audio/speech', { headers: { 'x-api-key': key }, body });
  return Buffer.from(await answer.arrayBuffer());
}

test('half an hour of talk in one session leaves memory where it was, and is billed', async () => {
  const { secret } = await stage.account({ creditUsd: '50' });
  const words = await spoken(secret, 'Hello, how are you today?');
  const turn = Buffer.concat([Buffer.alloc(10 * BYTES_A_SECOND), words, Buffer.alloc(BYTES_A_SECOND)]);
  const socket = await socketAt(stage.url, '/v1/realtime?model=gpt-realtime', { key: secret });
  await socket.next('session.created');
  const input = { turn_detection: { type: 'server_vad' }, transcription: { model: 'whisper-1' } };
  socket.send({ type: 'session.update', session: { type: 'realtime', audio: { input } } });
  await socket.next('session.updated');
  const sizes: number[] = [];
  let [secondsIn, secondsOut] = [0, 0];
  for (let turns = 1; secondsIn + secondsOut < 1_800; turns++) {
    for (let at = 0; at < turn.length; at += 9_600)
      socket.send({ type: 'input_audio_buffer.append', audio: turn.subarray(at, at + 9_600).toString('base64') });
    const { status, usage } = (await socket.next('response.done')).response as { status: string; usage: object };
    expect([turns, status, usage]).toEqual([turns, 'completed', expect.anything()]);
    secondsIn += turn.length / BYTES_A_SECOND;
    for (const { type, delta } of socket.events)
      if (type === 'response.output_audio.delta')
        secondsOut += Buffer.from(delta as string, 'base64').length / BYTES_A_SECOND;
    socket.forget();
    if (turns % 10 === 0) sizes.push(await residentBytes());
  }
  socket.ws.close();
  const mean = (some: number[]) => some.reduce((sum, size) => sum + size, 0) / some.length;
  console.log(
    `${Math.round(secondsIn)} s in, ${Math.round(secondsOut)} s out; resident memory in MB: ${sizes.map((size) => Math.round(size / MB)).join(' ')}`,
  );
  expect(mean(sizes.slice(-3)) - mean(sizes.slice(1, 4))).toBeLessThan(30 * MB);
}, 900_000);
