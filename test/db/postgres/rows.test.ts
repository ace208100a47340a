import { afterAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openDatabase } from '../../../db/database.ts';
import { entities } from '../../../db/entities/index.ts';
import { Account } from '../../../db/entities/ledger.ts';
import { ApiKey } from '../../../db/entities/workspace.ts';
import { File } from '../../../db/entities/session.ts';
import { LedgerEntry } from '../../../db/entities/ledger.ts';
import { newId } from '../../../db/ids.ts';
import { isDatabaseDown } from '../../../db/postgres/databaseErrors.ts';
import { insertSession, findSession } from '../../../db/sessions/sessions.ts';
import { makeAccount } from '../../support/account.ts';
import { makeBill } from '../../support/ledger.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf, setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const [ours, theirs] = [await makeAccount(db), await makeAccount(db)];
for (const spender of [ours, theirs])
  await db.ledger.settle(await db.ledger.hold(spender, 1_000n), makeBill(spender, { costNanos: 500n }));

const asTenant = <T>(sql: string) => db.read(ours.workspaceId).statement(({ em }) => em.execute<T[]>(sql));

describe('a read within a workspace', () => {
  test('finds only its own rows in a query for all rows', async () => {
    const found = await db.read(ours.workspaceId).transaction(async ({ em }) => ({
      accounts: await em.find(Account, {}),
      keys: await em.find(ApiKey, {}),
      entries: await em.find(LedgerEntry, {}, { orderBy: { sequence: 'asc' } }),
    }));
    expect(found.accounts.map(({ id }) => id)).toEqual([ours.accountId]);
    expect(found.keys.map(({ id }) => id)).toEqual([ours.keyId]);
    expect(found.entries.map(({ kind }) => kind)).toEqual(['topup', 'debit']);
  });

  test.each(['accounts', 'api_keys', 'holds', 'key_days', 'ledger_entries', 'requests'])(
    'finds one workspace in %s, which contains two',
    async (table) => {
      const [all] = await asTenant<{ ids: string[] }>(`select array_agg(distinct workspace_id) as ids from ${table}`);
      expect(all!.ids).toEqual([ours.workspaceId]);
      const { rows } = await db.pool.query(`select from ${table} where workspace_id = $1`, [theirs.workspaceId]);
      expect(rows).not.toHaveLength(0);
    },
  );

  test('finds one workspace in workspaces', async () => {
    expect(await asTenant('select id from workspaces')).toEqual([{ id: ours.workspaceId }]);
  });

  test.each([
    ['insert', `insert into key_days (key_id, day, workspace_id) select id, '2020-01-01', workspace_id from api_keys`],
    ['update', `update accounts set posted_nanos = posted_nanos + 1`],
    ['update', `update api_keys set spend_limit_nanos = null`],
    ['delete', `delete from requests`],
    ['look at processes', `select from processes`],
    ['look at streams', `select from request_progress`],
  ])('cannot %s: %s', async (_, sql) => {
    await expect(asTenant(sql)).rejects.toMatchObject({ code: '42501' });
  });

  test('resets the connection', async () => {
    const name = () => db.read(ours.workspaceId).statement(({ em }) => em.execute<{ role: string }[]>(ROLE));
    const seen = await Promise.all(Array.from({ length: 20 }, name));
    expect(new Set(seen.flat().map(({ role }) => role))).toEqual(new Set(['ledgerline_tenant']));
    const { rows } = await db.pool.query<{ role: string; count: number }>(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and state like 'idle in%'",
    );
    expect(rows[0]!.count).toBe(0);
  });
});

const ROLE = 'select current_user as role from pg_sleep(0.01)';

describe('a write within a workspace', () => {
  test('changes only its own rows, although the statement matches all', async () => {
    const changed = await db.write(ours.workspaceId).transaction(async ({ em }) => ({
      found: await em.find(ApiKey, {}),
      renamed: await em.nativeUpdate(ApiKey, {}, { name: 'ours' }),
      renamedTheirs: await em.nativeUpdate(ApiKey, { id: theirs.keyId }, { name: 'ours' }),
      deleted: await em.nativeDelete(File, {}),
    }));
    expect(changed.found.map(({ id }) => id)).toEqual([ours.keyId]);
    expect([changed.renamed, changed.renamedTheirs, changed.deleted]).toEqual([1, 0, 0]);
    const { rows } = await db.pool.query('select name from api_keys where id = $1', [theirs.keyId]);
    expect(rows).toEqual([{ name: 'test' }]);
  });

  test('is one transaction over several functions, and is rolled back when one of them fails', async () => {
    const rows = db.write(ours.workspaceId);
    const [first, second] = [newId('ses'), newId('ses')];
    const both = rows.transaction(async (tx) => {
      await insertSession(tx, { id: first, title: null, metadata: {} });
      await tx.client.query('insert into sessions (id, workspace_id) values ($1, $2)', [second, tx.workspaceId]);
      expect((await findSession(tx, second)).id).toBe(second);
      throw new RangeError('too late');
    });
    await expect(both).rejects.toThrow('too late');
    const { rows: left } = await db.pool.query('select from sessions where id = any ($1)', [[first, second]]);
    expect(left).toHaveLength(0);
  });
});

describe("the ledger's tables", () => {
  const CHANGES = [
    'update ledger_legs set amount_nanos = 0',
    'delete from ledger_legs',
    'truncate ledger_legs',
    'truncate requests',
  ];

  test.each(CHANGES)('cannot be changed by the platform: %s', async (sql) => {
    await expect(db.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
  });

  test.each(CHANGES)('cannot be changed by the owner of the database: %s', async (sql) => {
    await expect(asOwner(sql)).rejects.toMatchObject({ message: expect.stringContaining('append-only') });
  });
});

test('every table is isolated, also for its owner', async () => {
  const rows = await asOwner(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace and relrowsecurity and relforcerowsecurity order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(
    Object.values(entities)
      .filter(({ meta }) => !meta.view)
      .map(({ meta }) => meta.tableName)
      .toSorted(),
  );
});

test('a slow statement is cancelled, and so is an idle transaction with locks', async () => {
  const settings = `select setting from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`;
  const opened = await openDatabase({ url: db.url, spends: false, onError: () => {} });
  try {
    const { workspaceId } = ours;
    for (const rows of [opened.read(workspaceId), opened.write(workspaceId)])
      expect(await rows.statement(({ em }) => em.execute(settings))).toEqual([
        { setting: '2000' },
        { setting: '5000' },
      ]);
  } finally {
    await opened.close();
  }
});

test('months are those of UTC in a database with another time zone', async () => {
  const name = new URL(db.url).pathname.slice(1);
  await asOwner(`alter database ${name} set timezone = 'Pacific/Auckland'`);
  const other = await openTestDatabase({ url: db.url });
  try {
    const begins = `select date '2026-11-01' at time zone 'utc' = timestamptz '2026-11-01T00:00:00Z' as "isUtc"`;
    const { workspaceId } = ours;
    for (const rows of [other.read(workspaceId), other.write(workspaceId)])
      expect(await rows.statement(({ em }) => em.execute(begins))).toEqual([{ isUtc: true }]);
  } finally {
    await other.close();
    await asOwner(`alter database ${name} reset timezone`);
  }
});

test('a server that may only be read, as before the end of a failover, counts as away', async () => {
  const client = new Client({ connectionString: db.url });
  await client.connect();
  await client.query('set default_transaction_read_only = on');
  const error: unknown = await client.query('delete from runs').catch((failed: unknown) => failed);
  await client.end();
  expect(error).toMatchObject({ code: '25006' });
  expect(isDatabaseDown(error)).toBe(true);
});

test('the end of an idle transaction counts as a lost connection', async () => {
  const client = new Client({ connectionString: db.url });
  const errors: unknown[] = [];
  client.on('error', (error) => errors.push(error));
  await client.connect();
  const ended = new Promise<void>((resolve) => void client.once('end', resolve));
  await client.query('begin');
  await client.query('set local idle_in_transaction_session_timeout = 1');
  await ended;
  expect(errors[0]).toMatchObject({ code: '25P03' });
  expect(errors.filter((error) => !isDatabaseDown(error))).toEqual([]);
});

test('a socket whose server has ended counts as a database that is down', async () => {
  const client = new Client({ host: '/nowhere/sockets', connectionTimeoutMillis: 2_000 });
  const error: unknown = await client.connect().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'ENOENT' });
  expect(isDatabaseDown(error)).toBe(true);
});

test('a read while the database is down is refused as unavailable', async () => {
  const away = await makeDatabase();
  const opened = await openTestDatabase({ url: away.url, spends: false });
  await opened.read('ws_1').statement(({ em }) => em.execute('select 1'));
  await away.drop();
  const reading = opened.read('ws_1').statement(({ em }) => em.execute('select 1'));
  await expect(reading).rejects.toMatchObject({ name: 'LedgerUnavailable' });
  await opened.close();
});

async function asOwner(sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: ownerUrlOf(db.url) });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
