import { describe, expect, test } from '@jest/globals';
import { createShares } from '../../../db/postgres/shares.ts';

const shares = (waitMs = 60_000) => createShares({ places: 2, waitMs });

/** Work that runs until `end` or `fail` is called. */
function makeWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = { hasBegun: false, end: () => resolve('done'), fail: () => reject(new Error('failed')) };
  const run = () => {
    work.hasBegun = true;
    return promise;
  };
  return Object.assign(work, { run });
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const begunOf = (works: { hasBegun: boolean }[]) => works.map(({ hasBegun }) => hasBegun);

describe('a share', () => {
  test('lets so many works of an owner begin, and the next one, in order, when one ends', async () => {
    const share = shares();
    const works = [makeWork(), makeWork(), makeWork(), makeWork()];
    const ends = works.map(({ run }) => share('a', run));
    await settle();
    expect(begunOf(works)).toEqual([true, true, false, false]);
    works[1]!.end();
    await ends[1];
    await settle();
    expect(begunOf(works)).toEqual([true, true, true, false]);
    for (const { end } of works) end();
    expect(await Promise.all(ends)).toEqual(['done', 'done', 'done', 'done']);
  });

  test('is free again after a failure', async () => {
    const share = shares();
    const works = [makeWork(), makeWork(), makeWork()];
    const [first, ...others] = works.map(({ run }) => share('a', run));
    works[0]!.fail();
    await expect(first).rejects.toThrow('failed');
    await settle();
    expect(begunOf(works)).toEqual([true, true, true]);
    for (const { end } of works) end();
    await Promise.all(others);
  });

  test('of one owner leaves others theirs, and what has no owner begins at once', async () => {
    const share = shares();
    const works = [makeWork(), makeWork(), makeWork()];
    const ends = works.map(({ run }) => share('a', run));
    expect(await share('b', async () => 'of b')).toBe('of b');
    expect(await share(undefined, async () => 'of nobody')).toBe('of nobody');
    expect(begunOf(works)).toEqual([true, true, false]);
    for (const { end } of works) end();
    await Promise.all(ends);
  });

  test('has a place at once for work within work, which would wait for itself', async () => {
    const share = shares();
    const within = () => share('a', () => share('a', () => share('b', async () => 'within')));
    expect(await Promise.all([within(), within(), within()])).toEqual(['within', 'within', 'within']);
  });

  test('has a place at once for work within work without an owner, on whose locks the others may wait', async () => {
    const share = shares();
    const works = [makeWork(), makeWork()];
    const ends = works.map(({ run }) => share('a', run));
    const own = makeWork();
    const within = share(undefined, () => share('a', own.run));
    await settle();
    expect(own.hasBegun).toBe(true);
    for (const { end } of [own, ...works]) end();
    expect(await Promise.all([within, ...ends])).toEqual(['done', 'done', 'done']);
  });

  test('counts what works have begun and left behind', async () => {
    const share = shares();
    const later = Promise.withResolvers<void>();
    let left: Promise<string> | undefined;
    const own = makeWork();
    await share('a', async () => {
      left = later.promise.then(() => share('a', own.run));
    });
    const works = [makeWork(), makeWork()];
    const ends = works.map(({ run }) => share('a', run));
    later.resolve();
    await settle();
    expect(begunOf([own, ...works])).toEqual([false, true, true]);
    for (const { end } of [own, ...works]) end();
    expect(await Promise.all([left, ...ends])).toEqual(['done', 'done', 'done']);
  });

  test('refuses who has waited for too long, and keeps the order of the others', async () => {
    const share = shares(1);
    const works = [makeWork(), makeWork()];
    const ends = works.map(({ run }) => share('a', run));
    const late = makeWork();
    await expect(share('a', late.run)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    for (const { end } of works) end();
    await Promise.all(ends);
    expect(late.hasBegun).toBe(false);
    expect(await share('a', async () => 'next')).toBe('next');
  });
});
