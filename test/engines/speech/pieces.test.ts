import { expect, test } from '@jest/globals';
import { piecesOf } from '../../../engines/speech/pieces.ts';

test('an abbreviation does not end a sentence, and text without letters joins the previous piece', () => {
  expect(piecesOf('Ask Dr. Brown. She knows.')).toEqual(['Ask Dr. Brown. ', 'She knows.']);
  expect(piecesOf('In the U.S. a fig. 5 is drawn.\n\n!?\nIs it so?')).toEqual([
    'In the U.S. a fig. 5 is drawn.\n\n!?\n',
    'Is it so?',
  ]);
});

// If each piece were compared with all earlier ones, this would take ten minutes.
test.each(['A. ', 'Mr. ', '\n', '.\n'])('a long text of only %j is split in linear time', (part) => {
  const text = part.repeat(800_000 / part.length);
  const pieces = piecesOf(text);
  expect(pieces.every(({ length }) => length <= 240)).toBe(true);
  expect(pieces.join('') === text).toBe(true);
});

test('what is long when it is read aloud is cut into shorter pieces, at the speed at which it is spoken', () => {
  const lengths = (text: string, speed?: number) => piecesOf(text, { speed }).map(({ length }) => length);
  expect(lengths('0'.repeat(120))).toEqual([11, 34, 34, 34, 7]);
  expect(Math.max(...lengths('&%'.repeat(100)))).toBeLessThanOrEqual(24);
  expect(Math.max(...lengths('W '.repeat(200)))).toBeLessThanOrEqual(96);
  expect(Math.max(...lengths('0'.repeat(120), 0.25))).toBe(17);
  expect(lengths('The same words take the same pieces. '.repeat(9), 4)).toEqual(Array(9).fill(37));
});

test('a number that fits into a piece is not cut', () => {
  const text = 'Call now: 1,234,567,890 or 020 7946 0958 as soon as you can, will you?';
  expect(piecesOf(text)).toEqual(['Call now: ', text.slice('Call now: '.length)]);
});
