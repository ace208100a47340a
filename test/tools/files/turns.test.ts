import { describe, expect, test } from '@jest/globals';
import { createTurns } from '../../../tools/files/turns.ts';

const never = new AbortController().signal;

/** Work that ends when it is told to, and whether it has begun. */
function heldWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = { hasBegun: false, end: resolve, work: () => ((held.hasBegun = true), promise) };
  return held;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  test('come in order, so many at a time', async () => {
    const inTurn = createTurns(2);
    const works = [heldWork(), heldWork(), heldWork(), heldWork()];
    const all = Promise.all(works.map(({ work }) => inTurn(work, never)));
    const begun = () => works.map(({ hasBegun }) => hasBegun);
    await settled();
    expect(begun()).toEqual([true, true, false, false]);
    works[1]!.end();
    await settled();
    expect(begun()).toEqual([true, true, true, false]);
    for (const { end } of works) end();
    await all;
  });

  test('pass on after a failure', async () => {
    const inTurn = createTurns(1);
    const failing = inTurn(() => Promise.reject(new Error('failed')), never);
    const next = inTurn(async () => 'next', never);
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });

  test('are given up at once by an abort, and go to the next', async () => {
    const inTurn = createTurns(1);
    const first = heldWork();
    const gone = heldWork();
    const last = heldWork();
    const abort = new AbortController();
    const firstDone = inTurn(first.work, never);
    const goneDone = inTurn(gone.work, abort.signal);
    const lastDone = inTurn(last.work, never);
    abort.abort(new Error('cancelled'));
    await expect(goneDone).rejects.toThrow('cancelled');
    first.end();
    await firstDone;
    last.end();
    await lastDone;
    expect(gone.hasBegun).toBe(false);
  });

  test('are not begun by a call that is aborted already', async () => {
    const inTurn = createTurns(1);
    await expect(inTurn(async () => 1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(await inTurn(async () => 2, never)).toBe(2);
  });
});
