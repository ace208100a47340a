import { expect, test } from '@jest/globals';
import { createShares } from '../../../activities/webhooks/shares.ts';

test('a workspace has so many places, and its slow endpoints take none of another', () => {
  const shares = createShares(2, () => 0);
  expect([shares.enter('a', 'one'), shares.enter('a', 'two')]).toEqual([null, null]);
  expect(shares.enter('a', 'one')).toBe(100);
  expect(shares.enter('b', 'three')).toBeNull();
  shares.leave('a', 'one', 10);
  expect(shares.enter('a', 'two')).toBeNull();
});

test('those that wait come back one after another, at the pace of the endpoint', () => {
  let now = 1_000;
  const shares = createShares(2, () => now);
  for (let at = 0; at < 2; at += 1) shares.enter('a', 'slow');
  shares.leave('a', 'slow', 15_000);
  shares.enter('a', 'slow');
  expect([1, 2, 3].map(() => shares.enter('a', 'slow'))).toEqual([7_500, 15_000, 22_500]);
  now += 60_000;
  expect(shares.enter('a', 'slow')).toBe(7_500);
  for (let at = 0; at < 100; at += 1) shares.enter('a', 'slow');
  expect(shares.enter('a', 'slow')).toBe(300_000);
});

test('many that wait for an endpoint that hangs put off none of another endpoint of the workspace', () => {
  const shares = createShares(2, () => 0);
  for (let at = 0; at < 2; at += 1) shares.enter('a', 'slow');
  shares.leave('a', 'slow', 15_000);
  shares.enter('a', 'slow');
  for (let at = 0; at < 100; at += 1) shares.enter('a', 'slow');
  expect(shares.enter('a', 'fast')).toBe(100);
  shares.leave('a', 'slow', 15_000);
  expect(shares.enter('a', 'fast')).toBeNull();
});
