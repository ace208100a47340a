import { expect, test } from '@jest/globals';
import { piecesOf } from '../../../../providers/embedded/speech/pieces.ts';

test('an abbreviation ends no sentence, and what holds no letter goes with what is before it', () => {
  expect(piecesOf('Ask Dr. Brown. She knows.')).toEqual(['Ask Dr. Brown. ', 'She knows.']);
  expect(piecesOf('In the U.S. a fig. 5 is drawn.\n\n!?\nIs it so?')).toEqual([
    'In the U.S. a fig. 5 is drawn.\n\n!?\n',
    'Is it so?',
  ]);
});

// Compared with all that came before it, each would take as long as all of them: this would take ten minutes.
test.each(['A. ', 'Mr. ', '\n', '.\n'])('a long text of nothing but %j is cut as fast as any other', (part) => {
  const text = part.repeat(800_000 / part.length);
  const pieces = piecesOf(text);
  expect(pieces.every(({ length }) => length <= 240)).toBe(true);
  expect(pieces.join('') === text).toBe(true);
});
