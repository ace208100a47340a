import { afterAll, expect, test } from '@jest/globals';
import { wavHeader } from '../../../base/wavHeader.ts';
import { onnxRuntime, silero, whisper } from '../../../engines/fetching/engineList.ts';
import { fetchEngine } from '../../../engines/fetching/fetchEngine.ts';
import { chatBody, chatPath, setGuardStage } from '../../support/guardStage.ts';
import { socketAt } from '../../support/webSocket.ts';

const QUESTION = 'The quick brown fox jumped over the lazy dog.';

for (const engine of [whisper, onnxRuntime, silero])
  await fetchEngine(engine, { dataDir: '.data', onProgress: () => {} });
const stage = await setGuardStage({ env: { EMBEDDED_ENGINES: 'neural' } });
const key = (await stage.account({ creditUsd: '10' })).secret;
afterAll(() => stage.close());

const send = (path: string, body: string) => stage.ask(path, { headers: { 'x-api-key': key }, body });

async function spoken(input: string): Promise<Buffer> {
  const body = JSON.stringify({ model: 'tts-1', voice: 'alloy', response_format: 'pcm', input });
  return Buffer.from(await (await send('/v1/audio/speech', body)).arrayBuffer());
}

async function transcribed(pcm: Buffer): Promise<string> {
  const form = new FormData();
  const wav = Buffer.concat([wavHeader({ sampleRate: 24_000, sampleCount: pcm.length / 2 }), pcm]);
  form.set('file', new Blob([wav]), 'said.wav');
  form.set('model', 'whisper-1');
  const headers = { 'x-api-key': key };
  const answer = await fetch(`${stage.url}/v1/audio/transcriptions`, { method: 'POST', body: form, headers });
  return ((await answer.json()) as { text: string }).text;
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startMs = performance.now();
  return { result: await work(), ms: Math.round(performance.now() - startMs) };
}

const wordsIn = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

test('a spoken question is understood, and its spoken answer is understood by the service itself', async () => {
  const question = await spoken(QUESTION);
  const socket = await socketAt(stage.url, '/v1/realtime?model=gpt-realtime', { key });
  await socket.next('session.created');
  const input = { transcription: { model: 'whisper-1' }, turn_detection: { type: 'server_vad' } };
  socket.send({ type: 'session.update', session: { type: 'realtime', audio: { input } } });
  await socket.next('session.updated');
  // Loads the engines.
  await transcribed(question);
  const sound = Buffer.concat([Buffer.alloc(300 * 48), question, Buffer.alloc(900 * 48)]);
  for (let at = 0; at < sound.length; at += 9_600)
    socket.send({ type: 'input_audio_buffer.append', audio: sound.subarray(at, at + 9_600).toString('base64') });
  await socket.next('input_audio_buffer.speech_stopped');
  const first = await timed(() => socket.next('response.output_audio.delta'));
  const { transcript } = await socket.next('conversation.item.input_audio_transcription.completed');
  expect(wordsIn(transcript as string)).toEqual(wordsIn(QUESTION));
  const { response } = await socket.next('response.done');
  const [item] = (response as { output: { content: { transcript: string }[] }[] }).output;
  const answer = item!.content[0]!.transcript;
  const pieces = socket.events.filter(({ type }) => type === 'response.output_audio.delta');
  const pcm = Buffer.concat(pieces.map(({ delta }) => Buffer.from(delta as string, 'base64')));
  const heard = new Set(wordsIn(await transcribed(pcm)));
  const missed = wordsIn(answer).filter((word) => !heard.has(word));
  const engines = [
    await timed(() => transcribed(question)),
    await timed(async () => (await send(chatPath, chatBody())).text()),
    await timed(() => spoken(answer.split(/(?<=[.!?]) /)[0]!)),
  ].map(({ ms }) => ms);
  const sumMs = engines.reduce((sum, ms) => sum + ms, 0);
  process.stdout.write(
    `end of speech to first sound: ${first.ms} ms; the engines alone: ${engines.join(' + ')} = ${sumMs} ms\n`,
  );
  expect(wordsIn(answer).length).toBeGreaterThan(0);
  expect(missed.length).toBeLessThan(wordsIn(answer).length / 2);
  socket.ws.close();
});
