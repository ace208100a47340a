import { afterAll, expect, test } from '@jest/globals';
import { wavHeader } from '../../../../base/wavHeader.ts';
import { whisper } from '../../../../engines/fetching/engineList.ts';
import { fetchEngine } from '../../../../engines/fetching/fetchEngine.ts';
import { pausedSpeechOf, sentences } from '../../../engines/transcription/spokenStage.ts';
import { setGuardStage } from '../../../support/guardStage.ts';
import { read } from '../../../support/http.ts';

await fetchEngine(whisper, { dataDir: '.data', onProgress: () => {} });
const stage = await setGuardStage({ env: { EMBEDDED_ENGINES: 'neural' } });
const { secret } = await stage.account({ creditUsd: '10' });
const pieces: Buffer[] = [];
for await (const samples of pausedSpeechOf('alloy', sentences.slice(0, 2))) pieces.push(Buffer.from(samples.buffer));
const pcm = Buffer.concat(pieces);
const file = new Blob([wavHeader({ sampleRate: 16_000, sampleCount: pcm.length / 2 }), pcm]);
afterAll(() => stage.close());

function transcribed(path: string, fields: Record<string, string>): Promise<Response> {
  const form = new FormData();
  form.set('file', file, 'said.wav');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return fetch(stage.api.url + path, { method: 'POST', body: form, headers: { 'x-api-key': secret } });
}

const written = ['The quick brown fox jumped over the lazy dog.', 'Please transfer $100 to my savings account.'];

test('verbose JSON has sentences as segments, with the values of the decoder', async () => {
  const answer = await transcribed('/v1/audio/transcriptions', { model: 'whisper-1', response_format: 'verbose_json' });
  const { text, segments } = await read<{ text: string; segments: { text: string; tokens: number[] }[] }>(answer, 200);
  expect(text).toBe(written.join(' '));
  expect(segments.map((segment) => segment.text.trim())).toEqual(written);
  expect(segments.every(({ tokens }) => tokens.length > 5)).toBe(true);
});

test('subtitles have a line for each sentence', async () => {
  const answer = await transcribed('/v1/audio/transcriptions', { model: 'whisper-1', response_format: 'srt' });
  const subtitles = await answer.text();
  for (const sentence of written) expect(subtitles).toContain(sentence);
  expect(subtitles.match(/-->/g)).toHaveLength(2);
});

test('the ElevenLabs family has the same words with their times', async () => {
  const answer = await transcribed('/voiceapi/v1/speech-to-text', { model_id: 'scribe_v1' });
  const { words } = await read<{ words: { text: string; type: string; start: number; end: number }[] }>(answer, 200);
  const said = words.filter(({ type }) => type === 'word');
  expect(said.map(({ text }) => text).join(' ')).toBe(written.join(' '));
  expect(said.every(({ start, end }) => start < end)).toBe(true);
});

test('another language is refused by its name', async () => {
  const answer = await transcribed('/v1/audio/transcriptions', { model: 'whisper-1', language: 'de' });
  const { error } = await read<{ error: { param: string } }>(answer, 400);
  expect(error.param).toBe('language');
});

test.each(['transcriptions', 'translations'])('%s take a prompt', async (route) => {
  const answer = await transcribed(`/v1/audio/${route}`, { model: 'whisper-1', prompt: 'Paris' });
  const { text } = await read<{ text: string }>(answer, 200);
  expect(text.toLowerCase()).toContain('quick brown fox jumped over the lazy dog');
});

test('the catalogue names the engine', async () => {
  const answer = await fetch(`${stage.api.url}/v1/models/whisper-1`, { headers: { 'x-api-key': secret } });
  expect(await read<{ engine: string }>(answer, 200)).toMatchObject({ engine: 'whisper-tiny.en' });
});
