import { expect, test } from '@jest/globals';
import { piecesOf } from '../../../../providers/embedded/speech/pieces.ts';

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
