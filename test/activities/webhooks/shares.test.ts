import { expect, test } from '@jest/globals';
import { createShares } from '../../../activities/webhooks/shares.ts';

test('a workspace has so many places, and its slow endpoints take none of another', () => {
  const shares = createShares(2, () => 0);
  expect([shares.enter('a'), shares.enter('a')]).toEqual([null, null]);
  expect(shares.enter('a')).toEqual(expect.any(Number));
  expect(shares.enter('b')).toBeNull();
  shares.leave('a', 10);
  expect(shares.enter('a')).toBeNull();
});

test('those that wait come back one after another, at the pace of the endpoint', () => {
  let now = 1_000;
  const shares = createShares(2, () => now);
  for (let at = 0; at < 2; at += 1) shares.enter('slow');
  shares.leave('slow', 15_000);
  shares.enter('slow');
  expect([1, 2, 3].map(() => shares.enter('slow'))).toEqual([7_500, 15_000, 22_500]);
  now += 60_000;
  expect(shares.enter('slow')).toBe(7_500);
  for (let at = 0; at < 100; at += 1) shares.enter('slow');
  expect(shares.enter('slow')).toBe(300_000);
});
