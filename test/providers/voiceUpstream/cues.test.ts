import { afterAll, expect, test } from '@jest/globals';
import { createElevenLabs } from '../../../providers/elevenlabs.ts';
import type { TranscriptionParameters } from '../../../providers/speech.ts';
import { listen } from '../../../rules/scripted/startScripted.ts';
import { tone, streamOf } from '../../calls/audio/sounds.ts';
import { collect } from '../../support/streams.ts';

const limits = { idleTimeoutMs: 200_000, answerTimeoutMs: 200_000, connectTimeoutMs: 200_000, connectionsMax: 4 };
let answer: { text: string; words: object[] };

const upstream = await listen(
  0,
  (_, response) => void response.end(JSON.stringify({ language_code: 'en', ...answer })),
);
const elevenlabs = createElevenLabs({ baseUrl: upstream.url, apiKey: 'xi-up', ...limits });
afterAll(async () => {
  await elevenlabs.close();
  await upstream.stop();
});

const wordOf = (text: string, start: number, end: number) => ({ text, start, end, type: 'word', logprob: 0 });

async function segmentsOf(words: ReturnType<typeof wordOf>[], options: TranscriptionParameters, joint = ' ') {
  answer = { text: words.map(({ text }) => text).join(joint), words };
  const sound = streamOf(tone({ seconds: 1 }));
  const events = await collect(elevenlabs.transcribe(sound, options, new AbortController().signal));
  const last = events.at(-1)!;
  const { segments } = last.type === 'done' ? last.transcript : { segments: [] };
  const sent = events.flatMap((event) => (event.type === 'segment' ? [event] : []));
  expect(sent.map(({ segment }) => segment)).toEqual(segments);
  expect(sent.flatMap((event) => event.words.map(({ text }) => text))).toEqual(words.map(({ text }) => text));
  return segments.map(({ text, startMs, endMs }) => [startMs, endMs, text]);
}

const timed = { times: 'segments' } as const;

test('a transcript with times is in cues: a silence, four seconds or 84 characters end one', async () => {
  const hello = [wordOf('Hello', 0, 0.5), wordOf('you.', 0.6, 1), wordOf('Bye.', 1.9, 2.2)];
  expect(await segmentsOf(hello, timed)).toEqual([
    [0, 1_000, 'Hello you.'],
    [1_900, 2_200, 'Bye.'],
  ]);
  const slow = Array.from({ length: 6 }, (_, at) => wordOf(`word${at}`, at, at + 0.9));
  expect(await segmentsOf(slow, timed)).toEqual([
    [0, 3_900, 'word0 word1 word2 word3'],
    [4_000, 5_900, 'word4 word5'],
  ]);
  const fast = Array.from({ length: 12 }, (_, at) => wordOf('abcdefghi', at / 10, at / 10 + 0.1));
  expect((await segmentsOf(fast, timed)).map(([, , text]) => String(text).length)).toEqual([79, 39]);
});

test('the cues of a text without spaces, and of words that it writes in another way, are its whole text', async () => {
  const parts = Array.from('こんにちは世界', (one, at) => wordOf(one, at, at + 1));
  const cues = await segmentsOf(parts, timed, '');
  expect(cues.map(([, , text]) => text)).toEqual(['こんにち', 'は世界']);
  const words = [wordOf('two', 0, 3), wordOf('of', 3, 5), wordOf('them', 5, 6)];
  const segments = await segmentsOf(words, timed, '-');
  expect(segments.map(([, , text]) => text).join('')).toBe('two-of-them');
});

test('a transcript without times is one segment, as is one of a long word', async () => {
  const words = [wordOf('Hello', 0, 0.5), wordOf('you.', 5, 6)];
  expect(await segmentsOf(words, {})).toEqual([[0, 6_000, 'Hello you.']]);
  expect(await segmentsOf([wordOf('x'.repeat(200), 0, 9)], timed)).toEqual([[0, 9_000, 'x'.repeat(200)]]);
  expect(await segmentsOf([], timed)).toEqual([]);
});
