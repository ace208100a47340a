import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { loadEncoding } from '../../../../providers/metering/encoding/loadEncoding.ts';
import { flowSeed, seededRandom } from '../../../support/random.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const reference = new Tiktoken(o200k);
const encoding = await loadEncoding();
const random = seededRandom(flowSeed);

/** First and last code points: of scripts, spaces, controls, combining marks, half surrogate pairs, emoji, everything. */
const RANGES: readonly [number, number][] = [
  [0x20, 0x7e],
  [0x20, 0x20],
  [0x09, 0x0d],
  [0x00, 0x1f],
  [0xa0, 0x24f],
  [0x300, 0x36f],
  [0x400, 0x4ff],
  [0x600, 0x6ff],
  [0x900, 0x97f],
  [0xe00, 0xe7f],
  [0x2000, 0x206f],
  [0x3040, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0x1f300, 0x1f6ff],
  [0x0, 0x10ffff],
];

const below = (end: number): number => Math.floor(random() * end);

function randomText(): string {
  const ranges = Array.from({ length: 1 + below(4) }, () => RANGES[below(RANGES.length)]!);
  const points = Array.from({ length: below(80) }, () => {
    const [first, last] = ranges[below(ranges.length)]!;
    return first + below(last - first + 1);
  });
  return String.fromCodePoint(...points);
}

function expectSameTokens(text: string): void {
  const tokens = reference.encode(text, [], []);
  expect({ text, tokens: encoding.encode(text), count: encoding.count(text) }).toEqual({
    text,
    tokens,
    count: tokens.length,
  });
}

test('random texts of all scripts have the tokens of the reference', () => {
  for (let round = 0; round < 3000; round += 1) expectSameTokens(randomText());
});

test.each(['README.md', 'package-lock.json', 'api/app.ts'])('%s has the tokens of the reference', async (file) => {
  const text = await readFile(join(root, file), 'utf8');
  for (let start = 0; start < Math.min(text.length, 100_000); start += 1000)
    expectSameTokens(text.slice(start, start + 1000));
});

test.each([
  ['one letter', 'a'],
  ['capital letters', 'A'],
  ['spaces', ' '],
  ['new lines', '\r\n'],
  ['a character without a token of its own', '𒀀'],
])('a long run of %s has the tokens of the reference', (_name, part) => {
  expectSameTokens(part.repeat(3000));
});

test('the texts of the tokens make the text, and a character is whole in one of them', () => {
  const text = '\uFEFFYes 🎉 𒀀, naïve 漢字';
  const texts = encoding.textsOf(encoding.encode(text));
  expect(texts.join('')).toBe(text);
  expect(texts).toContain('');
  expect(texts.some((part) => part.includes('\uFFFD'))).toBe(false);
});

test('tokens that end within a character have the text before it, and leave nothing for the next text', () => {
  const [first] = encoding.encode(' 🎉');
  for (let round = 0; round < 2; round += 1) expect(encoding.textsOf([first!])).toEqual([' ']);
});
