import { expect, test } from '@jest/globals';
import { marksOf, utter } from '../../../engines/neuralVoice/utter.ts';
import type { VoiceModel } from '../../../engines/neuralVoice/voiceModel.ts';
import { wordsOf } from '../../../engines/pronunciation/wordTimes.ts';

// 100 samples a sound, after 500 samples of silence, at 1000 samples a second.
const asked: string[] = [];
const model: VoiceModel = {
  accentOf: () => 'us',
  speak: ({ sounds }) => {
    asked.push(sounds.join(''));
    const samples = new Float32Array(500 + sounds.length * 100).fill(0.5);
    return Promise.resolve({ samples, sampleRate: 1000, lead: 500, lengths: sounds.map(() => 100) });
  },
};
const manner = { voice: 'af_heart', speed: 1 };

test('words begin and end with their sounds; the silence before them is cut to 80 ms', async () => {
  const pronunciation = { sounds: Array.from('ab cd.'), words: [0, 0, 0, 2, 2, 2] };
  const spoken = await utter(model, pronunciation, manner);
  expect(spoken.pcm).toHaveLength(680);
  const piece = 'ab 🙂 cd.';
  const { words, characters } = marksOf(piece, wordsOf(piece), pronunciation, spoken);
  expect(words).toEqual([
    { text: 'ab', startMs: 80, endMs: 280 },
    { text: '🙂', startMs: 280, endMs: 280 },
    { text: 'cd.', startMs: 380, endMs: 580 },
  ]);
  expect(characters.map(({ text }) => text).join('')).toBe(piece);
});

test('a row of sounds that is too long for the model is spoken in parts, between words', async () => {
  asked.length = 0;
  const sounds = Array.from(Array.from({ length: 90 }, () => 'abcde').join(' '));
  const spoken = await utter(model, { sounds, words: sounds.map(() => 0) }, manner);
  expect(asked.map((part) => part.length)).toEqual([395, 144]);
  expect(asked.join('')).toBe(sounds.join(''));
  expect(spoken.starts).toHaveLength(sounds.length);
  expect(spoken.ends.at(-1)).toBe(spoken.pcm.length);
});
