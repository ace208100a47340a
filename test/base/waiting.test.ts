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

test('a caller that comes while one turn gives way to the next shares that one', async () => {
  for (let hops = 0; hops < 8; hops += 1) {
    const turns = oneAfterAnother<void>();
    let running = 0;
    let runningMax = 0;
    const work = async () => {
      runningMax = Math.max(runningMax, ++running);
      await new Promise(setImmediate);
      running -= 1;
    };
    let end!: () => void;
    const ending = new Promise<void>((resolve) => (end = resolve));
    const later = [turns('a', () => ending), turns('a', work)];
    end();
    for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
    later.push(turns('a', work));
    await Promise.all(later);
    expect({ hops, runningMax }).toEqual({ hops, runningMax: 1 });
  }
});
