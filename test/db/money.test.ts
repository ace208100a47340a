import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { costNanosOf, divideUp, nanosOfUsd, roundHalfUp, usdTextOf } from '../../db/money.ts';

const amounts = fc.bigInt({ min: 0n, max: 10n ** 24n });
const divisors = fc.bigInt({ min: 1n, max: 10n ** 9n });

describe('an amount', () => {
  test('is rounded to the nearest, halves up, at any size', () => {
    fc.assert(
      fc.property(amounts, divisors, (dividend, divisor) => {
        const twice = 2n * (dividend - roundHalfUp(dividend, divisor) * divisor);
        expect(twice >= -divisor && twice < divisor).toBe(true);
      }),
    );
  });

  test('that must be covered is rounded up, at any size', () => {
    fc.assert(
      fc.property(amounts, divisors, (dividend, divisor) => {
        const over = divideUp(dividend, divisor) * divisor - dividend;
        expect(over >= 0n && over < divisor).toBe(true);
      }),
    );
  });

  test('is the same after it was written as text', () => {
    fc.assert(fc.property(amounts, (nanos) => expect(nanosOfUsd(usdTextOf(nanos))).toBe(nanos)));
  });
});

describe('a price', () => {
  test('is exact beyond the whole numbers that a float can hold', () => {
    // 9,007,199,254,740,991 times 3,000,001 pico-USD.
    expect(costNanosOf({ input_tokens: Number.MAX_SAFE_INTEGER }, { input_tokens: 3_000_001n })).toBe(
      27_021_606_771_422_227_741n,
    );
  });

  test('is the sum of its units, rounded once', () => {
    expect(costNanosOf({ input_tokens: 1, output_tokens: 1 }, { input_tokens: 250n, output_tokens: 250n })).toBe(1n);
    expect(costNanosOf({ input_tokens: 1 }, { input_tokens: 499n })).toBe(0n);
  });

  test('of a unit without a rate is an error, so that nothing is free by mistake', () => {
    expect(() => costNanosOf({ images: 1 }, { input_tokens: 1n })).toThrow('no rate for the unit images');
  });
});
