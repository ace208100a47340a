import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isoTimeOf } from '../../base/isoTime.ts';

test('formats a time like Date.toISOString, whatever the previous call', () => {
  const times = fc.array(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), { minLength: 1 });
  const near = fc.integer({ min: 0, max: 5_000 }).map((ms) => 1_795_351_200_000 + ms);
  fc.assert(
    fc.property(fc.oneof(times, fc.array(near)), (all) => {
      expect(all.map(isoTimeOf)).toEqual(all.map((ms) => new Date(ms).toISOString()));
    }),
  );
});

test('drops fractions of a millisecond', () => {
  expect(isoTimeOf(1_795_351_200_123.9)).toBe(new Date(1_795_351_200_123.9).toISOString());
});
