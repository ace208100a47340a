import { expect, test } from '@jest/globals';
import { Queue } from '../../../engines/text/queue.ts';

const caller = () => new AbortController().signal;
const nothing = () => Promise.resolve();

test('serves waiting callers in order, with their position', async () => {
  const queue = new Queue(['a'], 2);
  const place = await queue.acquire(caller());
  const [second, third] = [caller(), caller()];
  const waiting = [queue.acquire(second), queue.acquire(third)];
  expect([queue.positionOf(second), queue.positionOf(third), queue.waiting]).toEqual([1, 2, 2]);
  queue.release(place);
  expect(await waiting[0]).toBe('a');
  expect([queue.positionOf(second), queue.positionOf(third)]).toEqual([0, 1]);
  queue.release('a');
  await waiting[1];
});

test('a full queue refuses with a wait that grows with the calls before', async () => {
  const refusedWith = async (waitingMax: number) => {
    const queue = new Queue(['a'], waitingMax);
    await queue.acquire(caller());
    for (let count = 0; count < waitingMax; count += 1) void queue.acquire(caller());
    return queue.acquire(caller()).catch((error: { status: number; retryAfterSeconds: number }) => error);
  };
  expect(await refusedWith(1)).toMatchObject({ status: 503, code: 'overloaded', retryAfterSeconds: 2 });
  expect(await refusedWith(50)).toMatchObject({ status: 503, code: 'overloaded', retryAfterSeconds: 100 });
});

test('a call of many parts alternates with waiting calls, also when the queue is full', async () => {
  const queue = new Queue(['a'], 1);
  const long = caller();
  const place = await queue.acquire(long);
  const served: string[] = [];
  const serveShort = async () => {
    const taken = await queue.acquire(caller());
    served.push('short');
    queue.release(taken);
  };
  const short = serveShort();
  const emptied: string[] = [];
  const next = await queue.takeTurns(place, long, async (taken) => void emptied.push(taken));
  served.push('long');
  await short;
  expect({ served, emptied, next }).toEqual({ served: ['short', 'long'], emptied: ['a'], next: 'a' });
  expect(await queue.takeTurns(next, long, nothing)).toBe('a');
  expect(emptied).toHaveLength(1);
});

test('a call that ends between its parts leaves its place to the next', async () => {
  const queue = new Queue(['a'], 4);
  const leaving = new AbortController();
  const place = await queue.acquire(leaving.signal);
  const short = queue.acquire(caller());
  const turn = queue.takeTurns(place, leaving.signal, nothing);
  const gone = expect(turn).rejects.toThrow('left');
  const taken = await short;
  leaving.abort(new Error('left'));
  await gone;
  queue.release(taken);
  expect(await queue.acquire(caller())).toBe('a');
});
