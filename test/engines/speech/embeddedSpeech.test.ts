import { afterAll, describe, expect, test } from '@jest/globals';
import { createEmbeddedSpeech } from '../../../engines/speech/embeddedSpeech.ts';
import { measureVoice } from '../../../providers/sound/measureVoice.ts';
import type { SpeechChunk, SpeechInput } from '../../../providers/speech.ts';
import { findPresetVoice, presetVoices } from '../../../providers/voices.ts';
import { loudness, samplesIn, streamOf } from '../../calls/audio/sounds.ts';
import { collect } from '../../support/streams.ts';

const never = new AbortController().signal;
const speech = createEmbeddedSpeech({ threads: 1, callsMax: 2 });
afterAll(() => speech.close());

const spoken = (input: Partial<SpeechInput>) =>
  collect(speech.speak({ text: 'Hello.', voice: 'sage', ...input }, never));
const secondsOf = (chunks: SpeechChunk[]) =>
  chunks.reduce((sum, { pcm, sampleRate }) => sum + pcm.length / sampleRate, 0);
const soundOf = (chunks: SpeechChunk[]) => samplesIn(streamOf(...chunks.map(({ pcm }) => pcm)));

describe('a long text', () => {
  const text = 'This is a sentence of some length. '.repeat(20);

  test('is sent before its last sentence is produced, and counts all its characters', async () => {
    const stream = speech.speak({ text, voice: 'nova' }, never)[Symbol.asyncIterator]();
    const first = (await stream.next()).value as SpeechChunk;
    expect(first.characters).toBeLessThan(100);
    expect(loudness(first.pcm)).toBeGreaterThan(200);
    let characters = first.characters;
    for (let next = await stream.next(); !next.done; next = await stream.next()) characters += next.value.characters;
    expect(characters).toBe(text.length);
  });

  test("ends with the caller's reason on abort", async () => {
    const leaving = new AbortController();
    const stream = speech.speak({ text, voice: 'nova' }, leaving.signal)[Symbol.asyncIterator]();
    await stream.next();
    leaving.abort(new Error('left'));
    await expect(stream.next()).rejects.toThrow('left');
    expect(secondsOf(await spoken({}))).toBeGreaterThan(0.3);
  });

  test('occupies one of the places until its end; one more call is refused', async () => {
    const held = [speech.speak({ text, voice: 'sage' }, never), speech.speak({ text, voice: 'sage' }, never)].map((s) =>
      s[Symbol.asyncIterator](),
    );
    await Promise.all(held.map((stream) => stream.next()));
    await expect(spoken({})).rejects.toMatchObject({ fault: 'overloaded' });
    await Promise.all(held.map((stream) => stream.return!()));
    expect(await spoken({})).toHaveLength(1);
  });
});

describe('text that is not plain English', () => {
  test.each([
    ['nothing', ''],
    ['spaces', '  \n '],
    ['dots', '...'],
    ['Chinese', '日本語です。'],
    ['a picture', '😀'],
  ])('%s becomes silence, and its characters count', async (_name, text) => {
    const chunks = await spoken({ text, marks: true });
    expect(chunks.reduce((sum, { characters }) => sum + characters, 0)).toBe(Array.from(text).length);
    expect(loudness(Int16Array.of(0, ...(await soundOf(chunks))))).toBe(0);
  });

  test.each(['Привет, мир', 'Καλημέρα', 'naïve café', '1,234.50 € on 3/4/2025', '-voice kal', 'a\0b <audio src="x"/>'])(
    '%s is spoken',
    async (text) => {
      expect(loudness(await soundOf(await spoken({ text })))).toBeGreaterThan(200);
    },
  );

  test('is cut when it has a word without end or no space, not refused', async () => {
    const chunks = await spoken({ text: `${'a'.repeat(1_000)}😀` });
    expect(chunks.reduce((sum, { characters }) => sum + characters, 0)).toBe(1_001);
  });
});

test('a hundred digits are spoken whole, as slowly as possible', async () => {
  const chunks = await spoken({ text: '0'.repeat(120), speed: 0.25 });
  expect(chunks.reduce((sum, { characters }) => sum + characters, 0)).toBe(120);
  expect(secondsOf(chunks)).toBeGreaterThan(120);
});

describe('timestamps', () => {
  test('of words follow the audio, through numbers and signs, and every character has one', async () => {
    const text = 'Dr. Smith paid $100.50, didn’t he? The quick — brown fox jumped.';
    const chunks = await spoken({ text, marks: true });
    const words = chunks.flatMap(({ marks }) => marks!.words);
    const characters = chunks.flatMap(({ marks }) => marks!.characters);
    expect(words.map((word) => word.text)).toEqual(text.split(' '));
    expect(characters.map((character) => character.text).join('')).toBe(text);
    for (const spans of [words, characters]) {
      for (const [at, { startMs, endMs }] of spans.entries()) {
        expect(endMs).toBeGreaterThanOrEqual(startMs);
        if (at > 0) expect(startMs).toBeGreaterThanOrEqual(spans[at - 1]!.endMs - 0.001);
      }
    }
    expect(characters.at(-1)!.endMs).toBeLessThanOrEqual(secondsOf(chunks) * 1000 + 0.001);
    const amount = words.find((word) => word.text.startsWith('$'))!;
    const fox = words.find((word) => word.text === 'fox')!;
    expect(amount.endMs - amount.startMs).toBeGreaterThan(3 * (fox.endMs - fox.startMs));
  });
});

describe('voices', () => {
  test('differ from each other, and the same input gives the same sound', async () => {
    const sounds = new Set<string>();
    for (const { id } of presetVoices) {
      sounds.add(Buffer.from((await soundOf(await spoken({ voice: id }))).buffer).toString('base64') + id.slice(0, 0));
    }
    expect(sounds.size).toBe(presetVoices.length);
    expect(await spoken({})).toEqual(await spoken({}));
  });

  test("are found by both vendors' names and ids", () => {
    expect(findPresetVoice('21m00Tcm4TlvDq8ikWAM')?.id).toBe('alloy');
    expect(findPresetVoice('Rachel')?.id).toBe('alloy');
    expect(findPresetVoice('shimmer')?.id).toBe('shimmer');
    expect(findPresetVoice('nobody')).toBeUndefined();
    const aliases = presetVoices.flatMap((preset) => [preset.id, ...Object.keys(preset.elevenlabs)]);
    expect(new Set(aliases).size).toBe(aliases.length);
    for (const preset of presetVoices) {
      for (const alias of [preset.id, ...Object.keys(preset.elevenlabs)]) expect(findPresetVoice(alias)).toBe(preset);
    }
  });

  test('that do not exist are refused', async () => {
    await expect(spoken({ voice: 'nobody' })).rejects.toMatchObject({ fault: 'refused', status: 404 });
  });

  test.each([110, 150, 210])('imitate a measured voice of %d Hz', async (pitchHz) => {
    const text = 'We were away a year ago, and nobody knew where we had been all the time.';
    const chunks = await spoken({ text, voice: { pitchHz, brightnessHz: 330 } });
    const measure = measureVoice({ samples: await soundOf(chunks), sampleRate: chunks[0]!.sampleRate });
    expect(Math.abs(measure.pitchHz / pitchHz - 1)).toBeLessThan(0.12);
  });

  test.each([0.25, 0.7, 1.2, 4])('at a speed of %d have the corresponding duration', async (speed) => {
    const text = 'The quick brown fox jumped over the lazy dog.';
    const ratio = secondsOf(await spoken({ text })) / secondsOf(await spoken({ text, speed }));
    expect(Math.abs(ratio / speed - 1)).toBeLessThan(0.15);
  });
});
