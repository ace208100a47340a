import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { FEEDS_MAX, createWorkspaceFollows, type WorkspaceFeed } from '../../../db/eventStreams/followWorkspaces.ts';
import { findPosition } from '../../../db/eventStreams/eventPositions.ts';
import type { PlatformEventType } from '../../../db/events/eventTypes.ts';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import type { Queryable } from '../../../db/postgres/queryable.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { addEvents, delta, finishTestRun, makeRun } from '../../support/run.ts';
import { until } from '../../support/until.ts';

let account: Awaited<ReturnType<typeof makeAccount>>;
let counted: ReturnType<typeof countedFollows>;
const errors: unknown[] = [];

const db = await setTestDatabase();
beforeEach(async () => {
  account = await makeAccount(db);
  counted = countedFollows();
});
afterEach(() => {
  counted.follows.close();
  expect(errors).toEqual([]);
});
afterAll(() => db.close());

/** Follows that count their looks and the reads of events. */
function countedFollows() {
  const count = { looks: 0, reads: 0 };
  const read = (workspaceId: string) => {
    const rows = db.read(workspaceId);
    const statement: typeof rows.statement = (work) => {
      count.reads += 1;
      return rows.statement(work);
    };
    return { ...rows, statement };
  };
  const statement: typeof db.everywhere.statement = (work) => {
    count.looks += 1;
    return db.everywhere.statement(work);
  };
  const everywhere = { ...db.everywhere, statement };
  return {
    count,
    follows: createWorkspaceFollows({ ...db, read, everywhere, onError: (error) => errors.push(error) }),
  };
}

const record = (type: PlatformEventType = 'key.created', client: Queryable = db.pool) =>
  recordEvent({ client }, account.workspaceId, { type, resourceType: 'key', resourceId: 'key_a', data: {} });

async function follow(after?: number, types: readonly string[] | null = null): Promise<WorkspaceFeed> {
  return (await counted.follows.open(account.workspaceId, { after, types }))!;
}

async function take(feed: WorkspaceFeed, events: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < events) ids.push(...(await feed.next())!.map(({ id }) => id));
  return ids;
}

/** Opens a transaction that has recorded an event. Its session stays busy, because an idle transaction is ended. */
async function slowly() {
  const client = await db.pool.connect();
  await client.query('begin');
  const id = await record('key.created', client);
  return { id, end: (how: 'commit' | 'rollback') => client.query(how).then(() => client.release()), client };
}

/** Waits for some looks of the follows while a transaction is open. */
async function lookedTimes(looks: number, { client }: { client: PoolClient }): Promise<void> {
  const enough = counted.count.looks + looks;
  await until(async () => (await client.query('select 1')) && counted.count.looks >= enough);
}

describe('a feed of a workspace', () => {
  test('begins now, and has the events that webhooks deliver, each once and in order', async () => {
    await record();
    const feed = await follow();
    const run = await makeRun(db, account);
    await addEvents(db, run.id, delta('not of webhooks'));
    const told = [
      await record(),
      await record('webhook_endpoint.disabled'),
      await finishTestRun(db, run),
      await record(),
    ];
    expect(await take(feed, 4)).toEqual(told);
  });

  test('goes on after a position, also far before the events that readers share', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 250; count += 1) ids.push(await record());
    const rows = db.read(account.workspaceId);
    for (const at of [0, 30, 249]) {
      const feed = await follow(await findPosition(rows, ids[at]!));
      const next = await record();
      ids.push(next);
      expect(await take(feed, ids.length - at - 1)).toEqual(ids.slice(at + 1));
    }
  });

  test('waits for a slow transaction that took its number before: no gap', async () => {
    const feed = await follow();
    const slow = await slowly();
    const fast = await record();
    const taken = take(feed, 2);
    await lookedTimes(3, slow);
    await slow.end('commit');
    expect(await taken).toEqual([slow.id, fast]);
  });

  test('waits for it also when it began last', async () => {
    const feed = await follow();
    const early = await db.pool.connect();
    await early.query('begin; select pg_current_xact_id()');
    const slow = await slowly();
    const fast = await record('key.created', early);
    await early.query('commit');
    early.release();
    const taken = take(feed, 2);
    await lookedTimes(3, slow);
    await slow.end('commit');
    expect(await taken).toEqual([slow.id, fast]);
  });

  test('does not wait for one that is rolled back', async () => {
    const feed = await follow();
    const slow = await slowly();
    const fast = await record();
    await lookedTimes(3, slow);
    await slow.end('rollback');
    expect(await take(feed, 1)).toEqual([fast]);
  });

  test('begins while a transaction is open, once that has ended', async () => {
    const slow = await slowly();
    const opening = follow();
    await lookedTimes(3, slow);
    await slow.end('commit');
    const feed = await opening;
    const next = await record();
    // It was committed before the feed was open: the feed may have it or not.
    const ids: string[] = [];
    while (!ids.includes(next)) ids.push(...(await take(feed, 1)));
    expect([[next], [slow.id, next]]).toContainEqual(ids);
  });

  test('has every event of many transactions that end in any order', async () => {
    const random = seededRandom(flowSeed);
    const feed = await follow();
    const writers = Array.from({ length: 8 }, async () => {
      const ids: string[] = [];
      for (let count = 0; count < 25; count += 1) {
        const isKept = random() < 0.8;
        const work = inTransaction(db.pool, async (client) => {
          const id = await record('key.created', client);
          await client.query('select pg_sleep($1)', [random() * 0.02]);
          if (!isKept) throw new Error('rolled back');
          return id;
        });
        await work.then((id) => ids.push(id)).catch(() => {});
      }
      return ids;
    });
    const written = (await Promise.all(writers)).flat();
    const taken = await take(feed, written.length);
    expect(taken.toSorted()).toEqual(written.toSorted());
    const { rows } = await db.pool.query<{ id: string }>(
      'select id from platform_events where workspace_id = $1 order by position',
      [account.workspaceId],
    );
    // Of before the feed: the key of the account.
    expect(taken).toEqual(rows.map(({ id }) => id).filter((id) => written.includes(id)));
  });

  test('has only the types that its reader chose, wherever it begins', async () => {
    const first = await record();
    const chosen = [];
    for (let count = 0; count < 150; count += 1) {
      await record('key.created');
      if (count % 50 === 0) chosen.push(await record('key.revoked'));
    }
    const after = await findPosition(db.read(account.workspaceId), first);
    const [late, early] = [await follow(undefined, ['key.revoked']), await follow(after, ['key.revoked'])];
    const last = await record('key.revoked');
    expect([await take(early, 4), await take(late, 1)]).toEqual([[...chosen, last], [last]]);
  });

  test('has no event of another workspace', async () => {
    const [mine, other] = [await follow(), account];
    account = await makeAccount(db);
    const theirs = await record();
    expect(await findPosition(db.read(other.workspaceId), theirs)).toBeUndefined();
    account = other;
    const own = await record();
    expect(await take(mine, 1)).toEqual([own]);
  });
});

test('the readers of a workspace share one read of each event', async () => {
  const feeds = await Promise.all(Array.from({ length: FEEDS_MAX }, () => follow()));
  const before = counted.count.reads;
  for (let step = 1; step <= 5; step += 1) {
    const taken = Promise.all(feeds.map((feed) => take(feed, 1)));
    const id = await record();
    expect(await taken).toEqual(feeds.map(() => [id]));
  }
  expect(counted.count.reads - before).toBe(5);
});

test('a workspace has a limited number of feeds; a closed one makes room', async () => {
  const feeds = await Promise.all(Array.from({ length: FEEDS_MAX }, () => follow()));
  const open = () => counted.follows.open(account.workspaceId, { after: undefined, types: null });
  expect(await open()).toBeUndefined();
  feeds[0]!.close();
  expect(await open()).toBeDefined();
});

test('feeds end when their process does', async () => {
  const feed = await follow();
  const waiting = feed.next();
  counted.follows.close();
  expect(await waiting).toBeUndefined();
});
