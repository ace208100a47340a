import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createWriteBehind } from '../../../db/postgres/writeBehind.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A store whose writes end when the test says so. `isCalm`: that time alone causes no further write. */
function setStore() {
  let asked = 0;
  const errors: unknown[] = [];
  const writes: { items: string[]; fail: () => Promise<void>; succeed: () => Promise<void> }[] = [];
  let waiting: string[] = [];
  const behind = createWriteBehind({ write, windowMs: 100, hurriedMs: 10, retryMs: 1_000, onError });

  function onError(error: unknown): void {
    errors.push(error);
  }

  async function write(): Promise<void> {
    asked += 1;
    const items = waiting;
    if (items.length === 0) return;
    waiting = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const over = promise.catch((error: unknown) => {
      waiting = [...items, ...waiting];
      throw error;
    });
    const after = async (end: () => void) => {
      end();
      await jest.advanceTimersByTimeAsync(0);
    };
    const fail = () => after(() => reject(new Error('down')));
    writes.push({ items, fail, succeed: () => after(resolve) });
    await over;
  }

  function keep(item: string): void {
    waiting.push(item);
    behind.soon();
  }

  const written = () => writes.map(({ items }) => items.join(''));
  const isCalm = async () => {
    const before = asked;
    await pass(10_000);
    return asked === before;
  };
  return { behind, keep, writes, written, errors, isCalm };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('many items are one write, a window after the first of them', async () => {
  const { keep, writes, written, isCalm } = setStore();
  keep('a');
  await pass(60);
  for (const item of 'bcdefgh') keep(item);
  await pass(39);
  expect(written()).toEqual([]);
  await pass(1);
  expect(written()).toEqual(['abcdefgh']);
  await writes[0]!.succeed();
  expect(await isCalm()).toBe(true);
});

test('a waiting reader shortens the window once: further readers do not postpone the write', async () => {
  const { behind, keep, written } = setStore();
  keep('a');
  behind.hurry();
  await pass(9);
  behind.hurry();
  await pass(1);
  expect(written()).toEqual(['a']);
});

test('one write runs at a time; whatever comes meanwhile is the next one, however often it is asked for', async () => {
  const { behind, keep, writes, written, isCalm } = setStore();
  keep('a');
  const first = behind.flush();
  keep('b');
  const later = [behind.flush(), behind.flush()];
  keep('c');
  await pass(100);
  expect(written()).toEqual(['a']);
  await writes[0]!.succeed();
  await first;
  expect(written()).toEqual(['a', 'bc']);
  await writes[1]!.succeed();
  await Promise.all(later);
  expect([written(), await isCalm()]).toEqual([['a', 'bc'], true]);
});

test('what could not be written is written again after the pause, with whatever came meanwhile', async () => {
  const { keep, writes, written, errors, isCalm } = setStore();
  keep('a');
  await pass(100);
  await writes[0]!.fail();
  expect(errors).toHaveLength(1);
  keep('b');
  await pass(999);
  expect(written()).toEqual(['a']);
  await pass(1);
  expect(written()).toEqual(['a', 'ab']);
  await writes[1]!.succeed();
  expect([errors.length, await isCalm()]).toEqual([1, true]);
});

test('the end waits for a running write, and writes the rest once: a failure sets no timer any more', async () => {
  const { behind, keep, writes, written, errors, isCalm } = setStore();
  keep('a');
  await pass(100);
  keep('b');
  let isOver = false;
  const ended = behind.end().then(() => (isOver = true));
  await writes[0]!.fail();
  expect([isOver, written()]).toEqual([false, ['a', 'ab']]);
  await writes[1]!.fail();
  await ended;
  expect([errors.length, await isCalm()]).toEqual([2, true]);
});

test('after the end nothing is written unless it is asked for, and a failure of that is not repeated', async () => {
  const { behind, keep, writes, written, errors, isCalm } = setStore();
  await behind.end();
  expect(behind.hasEnded()).toBe(true);
  keep('late');
  behind.hurry();
  expect(await isCalm()).toBe(true);
  const flushed = behind.flush();
  await writes[0]!.fail();
  await flushed;
  expect([written(), errors.length, await isCalm()]).toEqual([['late'], 1, true]);
});
