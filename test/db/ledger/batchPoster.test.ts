import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Pool } from 'pg';
import { createBatchPoster, type WrittenBatch } from '../../../db/ledger/batchPoster.ts';
import type { Settlement } from '../../../db/ledger/settlement.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A poster on a database that counts the postings and executes each once `allowed` resolves. */
function setUp({ allowed = Promise.resolve() } = {}) {
  const seen = { postings: 0, ended: 0 };
  const pool = { query: () => allowed.then(() => void (seen.postings += 1)) } as unknown as Pool;
  const poster = createBatchPoster(pool, (error) => {
    throw error;
  });
  const batch = (id: string, requests: number, isExact = false): WrittenBatch => ({
    id,
    postings: Array.from({ length: requests }, () => ({
      item: { charge: 1, usage: {} } as Settlement,
      flushed: false,
      hold: { isExact, end: () => void (seen.ended += 1) },
    })),
  });
  return { seen, poster, batch, pass: (ms: number) => jest.advanceTimersByTimeAsync(ms) };
}

test('settlements wait for others, but not forever, and are posted together', async () => {
  const { seen, poster, batch, pass } = setUp();
  for (let at = 0; at < 50; at += 1) {
    poster.add(batch(`batch_${at}`, 1));
    await pass(10);
    if (at === 48) expect(seen).toEqual({ postings: 0, ended: 0 });
  }
  expect(seen).toEqual({ postings: 1, ended: 50 });
  poster.add(batch('later', 3));
  await pass(499);
  expect(seen.postings).toBe(1);
  await pass(1);
  expect(seen).toEqual({ postings: 2, ended: 53 });
});

test('what frees money near the last cent waits no longer than a moment, however many follow', async () => {
  const { seen, poster, batch, pass } = setUp();
  for (let at = 0; at < 10; at += 1) {
    poster.add(batch(`batch_${at}`, 1, at === 4));
    await pass(10);
    if (at === 3) expect(seen).toEqual({ postings: 0, ended: 0 });
    if (at === 6) expect(seen).toEqual({ postings: 1, ended: 6 });
  }
  expect(seen).toEqual({ postings: 1, ended: 6 });
});

test('what frees money near the last cent waits as briefly when it comes during a posting', async () => {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const { seen, poster, batch, pass } = setUp({ allowed });
  poster.add(batch('large', 192));
  await pass(0);
  poster.add(batch('exact', 1, true));
  await pass(100);
  allow();
  await pass(19);
  expect(seen).toEqual({ postings: 1, ended: 192 });
  await pass(1);
  expect(seen).toEqual({ postings: 2, ended: 193 });
});

test('settlements that follow each other are posted at once when the money that they free is needed', async () => {
  const { seen, poster, batch, pass } = setUp();
  poster.add(batch('a', 3));
  await pass(10);
  poster.add(batch('b', 1));
  poster.hurry();
  await pass(0);
  expect(seen).toEqual({ postings: 1, ended: 4 });
});

test('many waiting settlements are posted without a pause', async () => {
  const { seen, poster, batch, pass } = setUp();
  for (let at = 0; at < 50; at += 1) poster.add(batch(`batch_${at}`, 192));
  await pass(0);
  expect(seen).toEqual({ postings: 50, ended: 50 * 192 });
});

test('a reader does not wait for later settlements, however many are posted before', async () => {
  const { seen, poster, batch } = setUp();
  for (let at = 0; at < 5; at += 1) poster.add(batch(`batch_${at}`, 120));
  await poster.posted();
  expect(seen).toEqual({ postings: 5, ended: 600 });
});

test('a batch that the database cannot post blocks neither the others nor holds, and is retried', async () => {
  const posted: string[][] = [];
  let isBroken = true;
  const query = async ({ values: [ids] }: { values: [ids: string[], flushed: string[]] }) => {
    if (isBroken && ids.includes('bad')) throw Object.assign(new Error('too long'), { code: '57014' });
    posted.push(ids);
  };
  const errors: unknown[] = [];
  const poster = createBatchPoster({ query } as unknown as Pool, (error) => errors.push(error));
  const { batch, pass } = setUp();
  for (const id of ['one', 'bad', 'two']) poster.add(batch(id, 1));
  await pass(3_000);
  expect(posted).toEqual([['one'], ['two']]);
  expect(poster.healthy()).toBe(true);
  expect(errors.length).toBeGreaterThan(1);
  isBroken = false;
  await pass(2_000);
  expect(posted).toEqual([['one'], ['two'], ['bad']]);
});
