import { expect, test } from '@jest/globals';
import { sumOf, sumText } from '../../console/src/parts/nanos.ts';
import { columnText, digitsOf } from '../../console/src/parts/precision.ts';
import { usdText } from '../../console/src/parts/usdText.ts';

const LARGEST_USD = 9_000_000.1;

test('a sum in the millions is exact to the nano', () => {
  expect(usdText(sumText([5_123_456.123456789, 5_123_456.000000001]))).toBe('$10,246,912.12345679');
  expect(usdText(sumText([LARGEST_USD, 0.000000012]))).toBe('$9,000,000.100000012');
  expect(usdText(sumText([0.000000012, -LARGEST_USD]))).toBe('−$9,000,000.099999988');
  expect(sumOf([0.1, 0.2])).toBe(0.3);
  expect(usdText(sumText([]))).toBe('$0.00');
});

test.each([
  [LARGEST_USD, '$9,000,000.10'],
  [123_456_789.12, '$123,456,789.12'],
  [0.000000001, '$0.000000001'],
  [-0.5, '−$0.50'],
])('%s has no digits of its binary fraction', (usd, text) => {
  expect(usdText(usd)).toBe(text);
});

test.each([
  [[1.5, 0.000034], 6],
  [[0.25, 0.1], 2],
  [[0, null], 2],
  [[LARGEST_USD, 0.000000034], 9],
])('a column of %j has %s digits after the point', (amounts, digits) => {
  expect(digitsOf(amounts)).toBe(digits);
});

test('beside nano-dollars large amounts have fewer digits, so that their column stays narrow', () => {
  const text = columnText([LARGEST_USD, 0.000000034]);
  const texts = [0.000000034, 12.3456, -1_234.5, LARGEST_USD, 12_345_678_901.5, 0].map(text);
  expect(texts).toEqual([
    '$0.000000034',
    '$12.3456000',
    '−$1,234.50000',
    '$9,000,000.10',
    '$12,345,678,901.50',
    '$0.000000000',
  ]);
});
