import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createRunFollows, type RunFeed } from '../../../db/events/followRuns.ts';
import { pruneEvents } from '../../../db/events/appendEvents.ts';
import { readEvents } from '../../../db/events/readEvents.ts';
import { makeAccount } from '../../support/account.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { delta, makeRun, addEvents } from '../../support/run.ts';
import { until } from '../../support/until.ts';

const errors: unknown[] = [];

const db = await setTestDatabase();
const account = await makeAccount(db);
afterEach(() => expect(errors).toEqual([]));
afterAll(() => db.close());

/** Followers that count their database reads. */
function countedFollows() {
  const count = { reads: 0 };
  const read = (workspaceId: string) => {
    count.reads += 1;
    return db.read(workspaceId);
  };
  return { count, follows: createRunFollows({ ...db, read, onError: (error) => errors.push(error) }) };
}

async function take(feed: RunFeed, events: number): Promise<number[]> {
  const sequences: number[] = [];
  while (sequences.length < events) sequences.push(...(await feed.next())!.map(({ sequence }) => sequence));
  return sequences;
}

describe('two hundred followers of a run', () => {
  test('share one read of each new event', async () => {
    const run = await makeRun(db, account);
    const { count, follows } = countedFollows();
    const place = { workspaceId: account.workspaceId, runId: run.id };
    const feeds = Array.from({ length: 200 }, () => follows.open(place, { after: 0, reached: 0 }));
    for (let step = 1; step <= 10; step += 1) {
      const taken = Promise.all(feeds.map((feed) => take(feed, 1)));
      await addEvents(db, run.id, delta('on'));
      expect(await taken).toEqual(feeds.map(() => [step]));
    }
    expect(count.reads).toBe(10);
    follows.close();
    expect(await Promise.all(feeds.map((feed) => feed.next()))).toEqual(feeds.map(() => undefined));
  });

  test('that start together share the read of past events', async () => {
    const run = await makeRun(db, account);
    await addEvents(db, run.id, ...Array.from({ length: 500 }, () => delta('past')));
    const { count, follows } = countedFollows();
    const place = { workspaceId: account.workspaceId, runId: run.id };
    const logs = await Promise.all(Array.from({ length: 50 }, () => follows.extentOf(place, 0)));
    expect(logs).toEqual(logs.map(() => ({ first: 1, last: 500, ended: false })));
    const feeds = logs.map(() => follows.open(place, { after: 0, reached: 500 }));
    await Promise.all(feeds.map((feed) => take(feed, 500)));
    expect(count.reads).toBe(4);
    follows.close();
  });

  test('that know a newer event than was read cause one more read', async () => {
    const run = await makeRun(db, account);
    await addEvents(db, run.id, delta('on'));
    const { count, follows } = countedFollows();
    const place = { workspaceId: account.workspaceId, runId: run.id };
    const known = { first: 1, last: 1, ended: false };
    expect([await follows.extentOf(place, 1), count.reads]).toEqual([known, 1]);
    expect([await follows.extentOf(place, 2), count.reads]).toEqual([known, 3]);
    follows.close();
  });

  test("see no events of another workspace's run", async () => {
    const run = await makeRun(db, account);
    await addEvents(db, run.id, delta('secret'));
    const stranger = await makeAccount(db);
    const place = { workspaceId: stranger.workspaceId, runId: run.id };
    expect(await db.runFollows.extentOf(place, 0)).toBeUndefined();
    expect(await readEvents(db.read(place.workspaceId), place.runId, { after: 0, limit: 10 })).toEqual([]);
  });

  test('that disconnect are removed', async () => {
    const run = await makeRun(db, account);
    const { count, follows } = countedFollows();
    const feed = follows.open({ workspaceId: account.workspaceId, runId: run.id }, { after: 0, reached: 0 });
    const waiting = feed.next();
    feed.close();
    expect(await waiting).toBeUndefined();
    await until(async () => {
      const before = count.reads;
      await addEvents(db, run.id, delta('unheard'));
      await db.pool.query('select pg_sleep(0.2)');
      return count.reads === before;
    });
    follows.close();
  });
});

test('deletes exactly the events past their retention', async () => {
  const run = await makeRun(db, account);
  await addEvents(db, run.id, delta('old'), delta('old'), delta('new'));
  const owner = new Client({ connectionString: ownerUrlOf(db.url) });
  await owner.connect();
  await owner.query(
    `update run_events set created_at = now() - interval '31 days' where run_id = $1 and sequence < 3`,
    [run.id],
  );
  await owner.end();
  expect(await pruneEvents(db.pool)).toBe(2);
  expect(await pruneEvents(db.pool)).toBe(0);
  const kept = await readEvents(db.read(account.workspaceId), run.id, { after: 0, limit: 10 });
  expect(kept.map(({ sequence }) => sequence)).toEqual([3]);
});
