import { expect, test } from '@jest/globals';
import { excessOf, isSurelyFlat, JSON_DEPTH_MAX } from '../../../api/guard/jsonShape.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const excess = (json: string, valuesMax = 1_000) => excessOf(Buffer.from(json), valuesMax);

test('64 levels are the most', () => {
  expect(excess(nested(JSON_DEPTH_MAX))).toBeUndefined();
  expect(excess(nested(JSON_DEPTH_MAX + 1))).toBe('depth');
  expect(excess(`[${`${nested(JSON_DEPTH_MAX - 1)},`.repeat(8)}1]`)).toBeUndefined();
  expect([isSurelyFlat('[{}]'.repeat(32)), isSurelyFlat(nested(JSON_DEPTH_MAX + 1))]).toEqual([true, false]);
});

test('members and elements count together', () => {
  expect(excess('[1,2,3]', 3)).toBeUndefined();
  expect(excess('[1,2,3]', 2)).toBe('values');
  expect(excess('{"a":{"b":1},"c":2}', 3)).toBeUndefined();
  expect(excess('{"a":{"b":1},"c":2}', 2)).toBe('values');
});

test.each([
  ['a short string', '[,{,'],
  ['a long string', '[,{,'.repeat(50)],
  ['a long string that ends in quotes', `${'x'.repeat(60)}""`],
  ['a long string that ends in backslashes', `${'x'.repeat(60)}\\\\`],
  ['backslashes where the walk ends', 'x'.repeat(46) + '\\'.repeat(5)],
  ['letters of several bytes', '„[{,“'.repeat(30)],
])('what is in %s does not count', (_, text) => {
  for (let shift = 0; shift < 4; shift += 1) {
    const json = JSON.stringify([`${'y'.repeat(shift)}${text}`, 1]);
    expect(excess(json, 2)).toBeUndefined();
    expect(excess(json, 1)).toBe('values');
  }
});

test('a string without an end is no reason to go on', () => {
  expect(excess('["' + 'x'.repeat(100))).toBeUndefined();
  expect(excess('["\\')).toBeUndefined();
});
