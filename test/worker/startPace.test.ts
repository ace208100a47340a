import { expect, test } from '@jest/globals';
import { createStartPace } from '../../worker/startPace.ts';

test('the first starts of each name in a minute are told from those beyond, and the next minute counts anew', () => {
  let nowMs = 5_000;
  const isFirst = createStartPace(2, () => nowMs);
  expect(['a', 'a', 'a', 'b', 'a', 'b', 'b'].map(isFirst)).toEqual([true, true, false, true, false, true, false]);
  nowMs += 59_999;
  expect(isFirst('a')).toBe(false);
  nowMs += 1;
  expect(['a', 'a', 'a'].map(isFirst)).toEqual([true, true, false]);
});
