import { afterAll, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { migrate } from '../../../db/postgres/migrations.ts';
import { openOwnersOrm } from '../../../db/postgres/orm.ts';
import { makeDatabase, ownerUrlOf, withClient } from '../../support/database.ts';
import { makeBefore, withEmptyDatabase } from './beforeBaseline.ts';
import { readCatalogue } from './catalogue.ts';

const BASELINE = 'Migration20261125200000_baseline';

const database = await makeDatabase();
/** Copied for each test: its statements take a second. */
const before = await makeBefore(database.url);
const files = await readdir(new URL('../../../db/migrations/', import.meta.url));
const names = files.filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -'.ts'.length));
names.sort();
afterAll(async () => {
  await before.drop();
  await database.drop();
});

const withBefore = (work: (url: string) => Promise<void>) => withEmptyDatabase(database.url, work, before.name);

const catalogueOf = (url: string) => withClient(url, readCatalogue);
const fresh = () => catalogueOf(ownerUrlOf(database.url));

test('the baseline comes first', () => {
  expect(names[0]).toBe(BASELINE);
});

test('an upgrade of a database made before the baseline makes what a fresh one has', async () => {
  await withBefore(async (url) => {
    const applied = await migrate(url);
    expect(applied).not.toContain(BASELINE);
    expect(applied.filter((name) => name.startsWith('Migration'))).toEqual(names.filter((name) => name !== BASELINE));
    expect(await catalogueOf(url)).toEqual(await fresh());
    expect(await migrate(url)).toEqual([]);
  });
});

test('so does one of a database that has later migrations too', async () => {
  await withBefore(async (url) => {
    const orm = await openOwnersOrm(url);
    await orm.migrator.up({ migrations: names.filter((name) => name > BASELINE && name < 'Migration20261126') });
    await orm.close();
    await migrate(url);
    expect(await catalogueOf(url)).toEqual(await fresh());
  });
});

test.each([
  'alter table holds alter column partial set default true',
  'alter table holds drop constraint holds_amount_check',
  'drop index holds_ended_index',
  'drop policy ended on holds',
  'alter table holds no force row level security',
  'grant delete on ledger_legs to ledgerline_system',
  'drop trigger ledger_legs_append_only on ledger_legs',
  'create or replace function ledger_refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  `delete from accounts where id = 'test_consumed'`,
])('a difference would be noticed: %s', async (change) => {
  await withClient(ownerUrlOf(database.url), async (client) => {
    const catalogue = await readCatalogue(client);
    await client.query('begin');
    await client.query(change);
    expect(await readCatalogue(client)).not.toEqual(catalogue);
    await client.query('rollback');
  });
});

test('an upgrade keeps rows, the secrets and the accounts of the platform', async () => {
  await withBefore(async (url) => {
    await withClient(url, async (client) => {
      await client.query(`insert into workspaces (id, name) values ('ws', 'of before')`);
      const read = () => client.query('select name, value from secrets order by name');
      const { rows: secrets } = await read();
      await migrate(url);
      expect((await read()).rows).toEqual(secrets);
      expect((await client.query('select id, name from workspaces')).rows).toEqual([{ id: 'ws', name: 'of before' }]);
    });
  });
});

test('a database older than that is refused, and stays as it is', async () => {
  await withBefore(async (url) => {
    await withClient(url, async (client) => {
      await client.query(`delete from mikro_orm_migrations where name = 'Migration20261125163000_rows_by_workspace'`);
    });
    const catalogue = await catalogueOf(url);
    await expect(migrate(url)).rejects.toThrow('b85d7470');
    expect(await catalogueOf(url)).toEqual(catalogue);
  });
});
