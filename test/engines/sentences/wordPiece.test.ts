import { describe, expect, test } from '@jest/globals';
import { createWordPiece } from '../../../engines/sentences/wordPiece.ts';

const names = ['[CLS]', '[SEP]', '[UNK]', 'cafe', 'un', '##aff', '##able', "'", 't', '京', '=', 'z'];
const { tokensOf, framed, size } = createWordPiece(Object.fromEntries(names.map((name, id) => [name, id])));
const pieces = (text: string) => tokensOf(text).map((id) => names[id]);

describe('a text is cut', () => {
  test.each([
    ['Café CAFÉ', ['cafe', 'cafe']],
    ['unaffable', ['un', '##aff', '##able']],
    ["un't=z", ['un', "'", 't', '=', 'z']],
    ['京京', ['京', '京']],
    ['cafe\u200b\tz', ['cafe', 'z']],
    ['unseen cafe', ['[UNK]', 'cafe']],
    ['z'.repeat(101), ['[UNK]']],
    ['constructor', ['[UNK]']],
    [' ', []],
  ])('%j', (text, expected) => expect(pieces(text)).toEqual(expected));
});

test('a text has a start and an end, which are no part of its tokens', () => {
  expect(framed(tokensOf('cafe'))).toEqual([0, 3, 1]);
  expect(size).toBe(names.length);
});
