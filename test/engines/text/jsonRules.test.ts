import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { integerRange } from '../../../engines/text/jsonRules.ts';

/** These expressions use only the common part of the grammar language and regular expressions, except for quotes and blanks. */
function pattern(expression: string): RegExp {
  return new RegExp(`^(?:${expression.replaceAll(/["\s]/g, '')})$`);
}

test('a range accepts exactly the integers from its minimum to its maximum', () => {
  const bound = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(bound, bound, bound, (one, other, tried) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      const range = pattern(integerRange(min, max)!);
      for (const value of [tried, min - 1, min, min + 1, max - 1, max, max + 1]) {
        expect(range.test(String(value))).toBe(value >= min && value <= max);
      }
      expect(range.test('-0')).toBe(false);
      expect(range.test('007')).toBe(false);
    }),
  );
});

test('a range without a bound extends as far as numbers are exact', () => {
  expect(pattern(integerRange(5, Infinity)!).test('999999999999999')).toBe(true);
  expect(pattern(integerRange(5, Infinity)!).test('4')).toBe(false);
  expect(pattern(integerRange(-Infinity, -5)!).test('-123456')).toBe(true);
  expect(pattern(integerRange(-Infinity, -5)!).test('-4')).toBe(false);
});

test('an empty range has no expression', () => {
  expect(integerRange(2, 1)).toBeUndefined();
});
