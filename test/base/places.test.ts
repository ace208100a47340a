import { describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPlaces, type PlaceLimits, PlacesFull } from '../../base/places.ts';

const never = new AbortController().signal;

/** Work that ends on request, and whether it has begun. */
function heldWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = { hasBegun: false, end: resolve, work: () => ((held.hasBegun = true), promise) };
  return held;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('places', () => {
  test('are given in order of arrival, a limited number at a time', async () => {
    const places = createPlaces({ atOnce: 2 });
    const works = [heldWork(), heldWork(), heldWork(), heldWork()];
    const all = Promise.all(works.map(({ work }) => places.run(work, { signal: never })));
    const begun = () => works.map(({ hasBegun }) => hasBegun);
    await settled();
    expect(begun()).toEqual([true, true, false, false]);
    works[1]!.end();
    await settled();
    expect(begun()).toEqual([true, true, true, false]);
    for (const { end } of works) end();
    await all;
  });

  test('are passed on after a failure', async () => {
    const places = createPlaces({ atOnce: 1 });
    const failing = places.run(() => Promise.reject(new Error('failed')), { signal: never });
    const next = places.run(async () => 'next', { signal: never });
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });

  test('are released at once by an abort, and given to the next waiter', async () => {
    const places = createPlaces({ atOnce: 1 });
    const first = heldWork();
    const gone = heldWork();
    const last = heldWork();
    const abort = new AbortController();
    const firstDone = places.run(first.work, { signal: never });
    const goneDone = places.run(gone.work, { signal: abort.signal });
    const lastDone = places.run(last.work, { signal: never });
    abort.abort(new Error('cancelled'));
    await expect(goneDone).rejects.toThrow('cancelled');
    first.end();
    await firstDone;
    last.end();
    await lastDone;
    expect(gone.hasBegun).toBe(false);
  });

  test('are not used by a call that is already aborted', async () => {
    const places = createPlaces({ atOnce: 1 });
    await expect(places.run(async () => 1, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    expect(await places.run(async () => 2, { signal: never })).toBe(2);
  });
});

/** Work that runs until it is ended, and the calls begun so far. */
function stage(limits: PlaceLimits) {
  const places = createPlaces(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (caller: string, name: string, signal = never) =>
    places.run(
      async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      },
      { caller, signal },
    );
  return { begun, start, end: (name: string) => ends.get(name)!() };
}

test('are left for other callers, who are served in order', async () => {
  const { begun, start, end } = stage({ atOnce: 3, perCaller: 2, waitingMax: 10 });
  const all = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('b', 'b1'), start('b', 'b2')];
  await nextTurn();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  end('b1');
  await nextTurn();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  end('a1');
  await nextTurn();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  for (const name of ['a2', 'a3', 'b2']) end(name);
  await Promise.all(all);
});

test('refuse one caller more than may wait, and accept another after one leaves', async () => {
  const { begun, start, end } = stage({ atOnce: 1, perCaller: 1, waitingMax: 1 });
  const leaving = new AbortController();
  const first = start('a', 'a1');
  const second = start('b', 'b1', leaving.signal);
  await expect(start('c', 'c1')).rejects.toThrow(PlacesFull);
  leaving.abort(new Error('left'));
  await expect(second).rejects.toThrow('left');
  const third = start('c', 'c2');
  end('a1');
  await first;
  await nextTurn();
  expect(begun).toEqual(['a1', 'c2']);
  end('c2');
  await third;
});
