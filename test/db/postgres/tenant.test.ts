import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { entities } from '../../../db/entities/index.ts';
import { Account, LedgerEntry } from '../../../db/entities/ledger.ts';
import { ApiKey } from '../../../db/entities/workspace.ts';
import { inWorkspace } from '../../../db/postgres/tenant.ts';
import { makeAccount } from '../../support/account.ts';
import { makeBill } from '../../support/ledger.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof makeDatabase>>;
let db: Awaited<ReturnType<typeof openTestDatabase>>;
let ours: Awaited<ReturnType<typeof makeAccount>>;
let theirs: Awaited<ReturnType<typeof makeAccount>>;

beforeAll(async () => {
  database = await makeDatabase();
  db = await openTestDatabase({ url: database.url });
  [ours, theirs] = [await makeAccount(db), await makeAccount(db)];
  for (const spender of [ours, theirs])
    await db.ledger.settle(await db.ledger.hold(spender, 1_000n), makeBill(spender, { costNanos: 500n }));
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const asTenant = <T>(sql: string) => inWorkspace(db.orm, ours.workspaceId, (em) => em.execute<T[]>(sql));

describe('a read within a workspace', () => {
  test('sees its own rows alone, though the query asks for all', async () => {
    const found = await inWorkspace(db.orm, ours.workspaceId, async (em) => ({
      accounts: await em.find(Account, {}),
      keys: await em.find(ApiKey, {}),
      entries: await em.find(LedgerEntry, {}, { orderBy: { sequence: 'asc' } }),
    }));
    expect(found.accounts.map(({ id }) => id)).toEqual([ours.accountId]);
    expect(found.keys.map(({ id }) => id)).toEqual([ours.keyId]);
    expect(found.entries.map(({ kind }) => kind)).toEqual(['topup', 'debit']);
  });

  test.each(['accounts', 'api_keys', 'holds', 'key_days', 'ledger_entries', 'requests'])(
    'sees one workspace in %s, where there are two',
    async (table) => {
      const [all] = await asTenant<{ ids: string[] }>(`select array_agg(distinct workspace_id) as ids from ${table}`);
      expect(all!.ids).toEqual([ours.workspaceId]);
      const { rows } = await db.pool.query(`select from ${table} where workspace_id = $1`, [theirs.workspaceId]);
      expect(rows).not.toHaveLength(0);
    },
  );

  test('sees one workspace in workspaces', async () => {
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

  test('leaves the connection as it was', async () => {
    const poolMax = 5;
    for (let at = 0; at < poolMax; at += 1) await asTenant('select 1');
    const seen = await Promise.all(Array.from({ length: poolMax }, () => currentUser()));
    expect(new Set(seen)).toEqual(new Set(['ledgerline_system']));
  });
});

describe('the ledger', () => {
  test.each([`update ledger_entries set amount_nanos = 0`, `delete from ledger_entries`, `truncate ledger_entries`])(
    'cannot be changed by the platform: %s',
    async (sql) => {
      await expect(db.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
    },
  );

  test.each([`update ledger_entries set amount_nanos = 0`, `delete from ledger_entries`, `truncate ledger_entries`])(
    'cannot be changed by the owner of the database: %s',
    async (sql) => {
      await expect(asOwner(sql)).rejects.toMatchObject({ message: expect.stringContaining('append-only') });
    },
  );
});

test('every table is isolated, for its owner too', async () => {
  const rows = await asOwner(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relrowsecurity and relforcerowsecurity order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(
    Object.values(entities)
      .map(({ meta }) => meta.tableName)
      .toSorted(),
  );
});

test('what takes too long is given up, and so is what holds its locks without doing anything', async () => {
  const settings = await asTenant<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`,
  );
  expect(settings.map(({ setting }) => setting)).toEqual(['10000', '5000']);
});

test('a read while the database is away is refused as unavailable', async () => {
  const away = await makeDatabase();
  const opened = await openTestDatabase({ url: away.url, spends: false });
  await inWorkspace(opened.orm, 'ws_1', (em) => em.execute('select 1'));
  await away.drop();
  const reading = inWorkspace(opened.orm, 'ws_1', (em) => em.execute('select 1'));
  await expect(reading).rejects.toMatchObject({ name: 'LedgerUnavailable' });
  await opened.close();
});

async function currentUser(): Promise<string> {
  const { em } = await db.orm.open();
  const [row] = await em.fork().execute<{ current_user: string }[]>('select current_user from pg_sleep(0.02)');
  return row!.current_user;
}

async function asOwner(sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: ownerUrlOf(database.url) });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
