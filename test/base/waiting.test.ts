import { expect, test } from '@jest/globals';
import { oneAfterAnother } from '../../base/waiting.ts';

test('callers that come while work runs share the next turn, which begins after they came', async () => {
  const turns = oneAfterAnother<number>();
  const ends: (() => void)[] = [];
  let begun = 0;
  const work = () => {
    const nth = ++begun;
    return new Promise<number>((resolve) => ends.push(() => resolve(nth)));
  };
  const first = turns('a', work);
  const [second, third] = [turns('a', work), turns('a', work)];
  void turns('another', async () => 0);
  expect(begun).toBe(1);
  ends.shift()!();
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  const fourth = turns('a', work);
  ends.shift()!();
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await new Promise(setImmediate);
  ends.shift()!();
  expect(await fourth).toBe(3);
});

test('a turn that fails fails for those who shared it alone', async () => {
  const turns = oneAfterAnother<number>();
  const failing = turns('a', () => Promise.reject(new Error('away')));
  const next = turns('a', async () => 2);
  await expect(failing).rejects.toThrow('away');
  expect(await next).toBe(2);
});
