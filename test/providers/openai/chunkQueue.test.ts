import { describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ChunkQueue } from '../../../providers/openai/chunkQueue.ts';
import { jsonOf, type Chunk } from '../../../providers/plainChunk.ts';

const FULL_BYTES = 64 * 1024;
const chunk = (name: string): Chunk => ({ name });
const namesOf = (read: Chunk[]) => read.map((one) => jsonOf(one).name as string);

/** A paused source that pushes its last chunk at once when it may go on, and ends: undici parses what it held back within `resume`. */
function heldBack() {
  const seen = { paused: 0, resumed: 0 };
  const queue = new ChunkQueue({
    pause: () => void (seen.paused += 1),
    resume: () => {
      seen.resumed += 1;
      queue.push([chunk('last')], 1);
      queue.end();
    },
    cancel: () => {},
  });
  return { queue, seen };
}

describe('what a paused source pushes as soon as it may go on comes after what waited', () => {
  test('for a reader that was busy', async () => {
    const { queue, seen } = heldBack();
    const reads: string[][] = [];
    const { promise: ready, resolve: letRead } = Promise.withResolvers<void>();
    const over = queue.each((read) => {
      reads.push(namesOf(read));
      return reads.length === 1 ? ready : undefined;
    });
    queue.push([chunk('first')], 1);
    queue.push([chunk('second')], FULL_BYTES);
    queue.push([chunk('third')], 1);
    expect(seen).toEqual({ paused: 1, resumed: 0 });
    letRead();
    await over;
    expect(reads).toEqual([['first'], ['second', 'third'], ['last']]);
    expect(seen.resumed).toBe(1);
  });

  test('for a reader that begins late', async () => {
    const { queue } = heldBack();
    queue.push([chunk('first')], FULL_BYTES);
    const reads: string[][] = [];
    await queue.each((read) => void reads.push(namesOf(read)));
    expect(reads).toEqual([['first'], ['last']]);
  });

  test('for a reader that is busy with each read', async () => {
    const { queue } = heldBack();
    queue.push([chunk('first')], FULL_BYTES);
    const reads: string[][] = [];
    await queue.each((read) => nextTurn(void reads.push(namesOf(read))));
    expect(reads).toEqual([['first'], ['last']]);
  });

  test('for a loop', async () => {
    const { queue } = heldBack();
    queue.push([chunk('first')], FULL_BYTES);
    const reads: unknown[] = [];
    for await (const read of queue) reads.push(read);
    expect(reads).toEqual([[{ name: 'first' }], [{ name: 'last' }]]);
  });
});
