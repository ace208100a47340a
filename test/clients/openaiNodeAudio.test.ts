import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { readSound, makeRecogniser, testWithRecogniser } from '../support/sound.ts';
import { startClientStage } from './clientStage.ts';

const input = 'The quick brown fox jumped over the lazy dog.';

await makeRecogniser();
const stage = await startClientStage();
const client = new OpenAI({ baseURL: stage.baseUrl, apiKey: stage.keys.funded, maxRetries: 0 });
afterAll(() => stage.stop());

type Format = 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm';

async function spokenIn(
  response_format: Format,
  { model = 'tts-1-hd', voice = 'nova', text = input } = {},
): Promise<Buffer> {
  const sound = await client.audio.speech.create({ model, voice, input: text, response_format });
  return Buffer.from(await sound.arrayBuffer());
}

let short: Promise<Buffer> | undefined;
/** A short sound, created once: transcription takes less time. */
const file = async () => {
  short ??= spokenIn('wav', { model: 'tts-1', voice: 'alloy', text: 'The fox jumped.' });
  return toFile(await short, 'speech.wav');
};

describe('the official Node client', () => {
  test.each(['mp3', 'opus', 'aac', 'flac', 'wav'] as const)('creates speech in %s', async (format) => {
    expect(readSound(await spokenIn(format))).toMatchObject({ codec: format, channels: 1 });
  });

  test('creates speech as samples, over a second of them', async () => {
    expect((await spokenIn('pcm')).length).toBeGreaterThan(2 * 24_000);
  });

  testWithRecogniser('transcribes into an object, into text with times, and in events', async () => {
    const { transcriptions, translations } = client.audio;
    expect((await transcriptions.create({ model: 'whisper-1', file: await file() })).text).toContain('fox');
    const subtitles = await transcriptions.create({ model: 'whisper-1', file: await file(), response_format: 'srt' });
    expect(subtitles).toMatch(/^1\n00:00:0\d,\d{3} --> /);
    const verbose = await transcriptions.create({
      model: 'whisper-1',
      file: await file(),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    expect(verbose.words!.map(({ word }) => word)).toContain('fox');
    expect(verbose.segments![0]!.end).toBeGreaterThan(1);
    const events = await transcriptions.create({ model: 'gpt-4o-transcribe', file: await file(), stream: true });
    let heard: object = {};
    for await (const event of events) if (event.type === 'transcript.text.done') heard = event;
    const seconds = Math.ceil(verbose.duration);
    const input_tokens = Math.ceil(verbose.duration * 10);
    expect(heard).toMatchObject({
      text: expect.stringContaining('fox'),
      usage: { type: 'tokens', input_tokens, output_tokens: expect.any(Number), seconds },
    });
    expect((await translations.create({ model: 'whisper-1', file: await file() })).text).toContain('fox');
  });

  test('gets an error for an invalid form and for an unknown model', async () => {
    const wrong = client.audio.speech.create({
      model: 'tts-1',
      voice: 'alloy',
      input,
      response_format: 'ogg' as 'mp3',
    });
    await expect(wrong).rejects.toMatchObject({ status: 400, code: 'invalid_value', param: 'response_format' });
    const form = client.audio.transcriptions.create({
      model: 'whisper-1',
      file: await file(),
      response_format: 'xml' as 'json',
    });
    await expect(form).rejects.toMatchObject({ status: 400, code: 'invalid_value', param: 'response_format' });
    const unknown = client.audio.transcriptions.create({ model: 'whisper-9', file: await file() });
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });
});
