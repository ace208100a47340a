import { expect, test } from '@jest/globals';
import { closest, editDistance } from '../../../db/catalog/closest.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
  ['same', 'same', 0],
])('%j and %j differ by %d letters', (one, other, count) => {
  expect(editDistance(one, other)).toBe(count);
  expect(editDistance(other, one)).toBe(count);
});

test('the closest text is the first of those that differ least', () => {
  expect(closest('abd', ['xyz', 'abc', 'abe'])).toBe('abc');
});
