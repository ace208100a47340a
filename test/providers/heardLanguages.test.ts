import { afterEach, expect, test } from '@jest/globals';
import { presentTranscript } from '../../api/text/audio/presentTranscript.ts';
import type { ParsedTranscription } from '../../api/text/audio/transcriptionForm.ts';
import { createOpenAiAudio } from '../../providers/openaiAudio.ts';
import { listen } from '../../rules/scripted/startScripted.ts';
import { streamOf, tone } from '../calls/audio/sounds.ts';
import { collect } from '../support/streams.ts';

const limits = { idleTimeoutMs: 200_000, answerTimeoutMs: 200_000, connectTimeoutMs: 200_000, connectionsMax: 4 };
const input = { response_format: 'verbose_json' } as ParsedTranscription;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** The events of a transcription by an upstream with this answer. */
async function transcribed(answer: object, options: { language?: string; translate?: boolean } = {}) {
  const { url, stop } = await listen(0, (request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify(answer)));
  });
  const openai = createOpenAiAudio({ baseUrl: `${url}/v1`, apiKey: 'sk-up', ...limits });
  ends.push(stop, openai.close);
  return collect(openai.transcribe(streamOf(tone({ seconds: 1 })), options, new AbortController().signal));
}

/** The language of a transcription of an upstream that says so. */
async function languageFrom(language: unknown, options?: { language?: string; translate?: boolean }) {
  const events = await transcribed({ text: 'Namaste.', language, segments: [] }, options);
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('the transcription has no end');
  const shown = presentTranscript(last.transcript, { input, durationMs: 1_000, task: 'transcribe' });
  return [last.transcript.language, (shown as { language: string }).language];
}

test.each([
  ['english', 'en', 'english'],
  ['hindi', 'hi', 'hindi'],
  ['Czech', 'cs', 'czech'],
  ['bengali', 'bn', 'bengali'],
  ['myanmar', 'my', 'myanmar'],
  ['haitian creole', 'ht', 'haitian creole'],
  ['cantonese', 'yue', 'cantonese'],
  ['da', 'da', 'danish'],
  ['old high martian', 'old high martian', 'old high martian'],
])('the language %s of an upstream is %s, and %s for clients of OpenAI', async (said, code, name) => {
  expect(await languageFrom(said)).toEqual([code, name]);
});

test('a language that is not known by its name is the one the caller said, and a translation is English', async () => {
  expect(await languageFrom('old high martian', { language: 'fi' })).toEqual(['fi', 'finnish']);
  expect(await languageFrom(undefined, { language: 'fi' })).toEqual(['fi', 'finnish']);
  expect(await languageFrom('hindi', { translate: true })).toEqual(['en', 'english']);
});

test.each([
  ['今日は。元気です。', ['今日は。', '元気です。'], [true]],
  [' Hello. How are you?', [' Hello.', ' How are you?'], [undefined]],
  // Some upstreams trim them.
  ['Hello. How are you?', ['Hello.', 'How are you?'], [undefined]],
])('the segments of %s keep whether a space is between them', async (text, segments, glued) => {
  const timed = segments.map((segment, at) => ({ text: segment, start: at, end: at + 1 }));
  const events = await transcribed({ text, language: 'japanese', segments: timed });
  const found = events.flatMap((event) => (event.type === 'segment' ? [event.segment.isGlued] : []));
  expect(found).toEqual([undefined, ...glued]);
});
