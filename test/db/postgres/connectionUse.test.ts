import { afterAll, expect, test } from '@jest/globals';
import { checkConnections, type Connections, type ConnectionUse } from '../../../db/postgres/connectionUse.ts';
import { connectionsMaxOf } from '../../../db/postgres/pools.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf, withClient } from '../../support/database.ts';
import { until } from '../../support/until.ts';

// Any number that no other lock of the database has.
const LOCK = 4_711;

const database = await makeDatabase();
afterAll(() => database.drop());

const open = (spends: boolean) => openTestDatabase({ url: database.url, spends });

test('a process opens as many connections as it says, and no more', async () => {
  const db = await open(true);
  expect(db.connections.max).toEqual({ pooled: 0, direct: 18 });
  await withClient(ownerUrlOf(database.url), async (owner) => {
    // All pools at once, more statements than connections: each waits for this lock, so that no connection becomes free.
    await owner.query('select pg_advisory_lock($1)', [LOCK]);
    const wait = 'select pg_advisory_xact_lock_shared($1)';
    const busy = [
      ...Array.from({ length: 30 }, () => db.pool.query(wait, [LOCK])),
      ...Array.from({ length: 20 }, () => db.read('ws_none').statement(({ client }) => client.query(wait, [LOCK]))),
    ];
    const countOpen = async () => {
      const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
      return (await owner.query<{ count: number }>(`select count(*)::int as count ${others}`)).rows[0]!.count;
    };
    await until(async () => (await countOpen()) >= 18 && db.pool.waitingCount > 0);
    expect(await countOpen()).toBe(18);
    await owner.query('select pg_advisory_unlock($1)', [LOCK]);
    await Promise.all(busy);
    expect(await countOpen()).toBe(18);
  });
  await db.close();
});

test.each([
  ['an API process or a worker', {}, true, { pooled: 0, direct: 18 }],
  ['with other sizes', { mainMax: 4, readingMax: 2 }, true, { pooled: 0, direct: 9 }],
  ['behind a pooler', { directUrl: 'postgres://database' }, true, { pooled: 16, direct: 2 }],
  ['a command of operators', { mainMax: 4, readingMax: 2 }, false, { pooled: 0, direct: 8 }],
])('%s opens what its settings say', (_, place, spends, expected) => {
  expect(connectionsMaxOf(place, { spends })).toEqual(expected);
});

test('the use of the server has what live processes claim, and the limit of the login counts', async () => {
  const [first, second] = [await open(true), await open(true)];
  const before = await first.connections.read();
  expect(before).toMatchObject({ claimed: 36, processes: 2 });
  expect(before.used).toBeGreaterThan(4);
  expect(before.allowed).toBe(before.max - before.reserved);
  expect(before.logins[new URL(database.url).username]).toBeGreaterThan(4);
  await second.close();
  await withClient(ownerUrlOf(database.url), async (owner) => {
    const { rows } = await owner.query('select current_database() as name');
    await owner.query(`alter database "${rows[0].name}" connection limit 40`);
  });
  expect(await first.connections.read()).toMatchObject({ claimed: 18, processes: 1, allowed: 40 });
  await first.close();
});

const use = (found: Partial<ConnectionUse>): Connections => ({
  max: { direct: 18, pooled: 0 },
  read: async () => ({
    max: 100,
    reserved: 3,
    used: 20,
    logins: {},
    allowed: 97,
    claimed: 36,
    processes: 2,
    ...found,
  }),
});

async function linesOf(connections: Connections, processes = 1) {
  const lines: string[] = [];
  const log = {
    info: (_: object, text: string) => void lines.push(`info: ${text}`),
    warn: (_: object, text: string) => void lines.push(`warn: ${text}`),
  };
  await checkConnections(connections, { processes, log });
  return lines;
}

test('a start says what fits, warns of what does not, and refuses what never can', async () => {
  expect(await linesOf(use({}))).toEqual([
    'info: this process may open 18 connections, the 2 live processes together 36; the server lets the application open 97 (max_connections 100), and 20 are open',
  ]);
  const [warning] = await linesOf(use({ claimed: 108, processes: 6 }));
  expect(warning).toMatch(
    /^warn: .*the 6 live processes together 108, but the server lets .* open 97 .*raise max_connections/,
  );
  await expect(linesOf(use({}), 6)).rejects.toThrow(
    /^6 processes may open 108 connections, but the server lets the application open 97 .*: raise max_connections, lower DATABASE_CONNECTIONS_MAX/,
  );
});
