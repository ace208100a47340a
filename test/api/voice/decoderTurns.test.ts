import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDecoderTurns } from '../../../api/sound/decoderTurns.ts';

const never = new AbortController().signal;

/** Work that runs until it is ended, and what has begun so far. */
function stage(limits: Parameters<typeof createDecoderTurns>[0]) {
  const turns = createDecoderTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (caller: string, name: string, signal = never) =>
    turns.run(caller, signal, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return { begun, start, end: (name: string) => ends.get(name)!() };
}

test('one caller leaves places to the others, which are served in their order', async () => {
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

test('one more than may wait is refused, and one that leaves makes room', async () => {
  const { begun, start, end } = stage({ atOnce: 1, perCaller: 1, waitingMax: 1 });
  const leaving = new AbortController();
  const first = start('a', 'a1');
  const second = start('b', 'b1', leaving.signal);
  await expect(start('c', 'c1')).rejects.toMatchObject({ status: 503, code: 'overloaded' });
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
