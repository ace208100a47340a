import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Migration } from '@mikro-orm/migrations';
import { readdir } from 'node:fs/promises';
import { migrate } from '../../../db/postgres/migrations.ts';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { brokenRules } from './migrationRules.ts';

const FOLDER = new URL('../../../db/migrations/', import.meta.url);

/** Exempt migrations by name, with the reason: for example that the last release no longer uses a column. */
const EXEMPT: Record<string, { rules: string[]; because: string }> = {
  Migration20261126020000_product: {
    rules: ['rewrites rows'],
    because: 'only the few batches that wait at that moment, which the changed type could not read',
  },
  Migration20261126020100_products_filled: {
    rules: ['requires a value'],
    because: 'a trigger gives one to the calls of the last release',
  },
  Migration20261127030020_partitions: {
    rules: ['renames', 'blocks writes', 'withdraws a right'],
    because:
      'each table becomes a part of one that has its name, rights and policies; that takes milliseconds and reads no row',
  },
  Migration20261127160020_ledger_legs: {
    rules: ['blocks writes'],
    because: 'a table is renamed, and a view has its name and all that the last release reads; that takes milliseconds',
  },
};

type MigrationClass = new (...parts: unknown[]) => Migration & { up(): void | Promise<void> };

async function readMigrations() {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.ts')).toSorted();
  return Promise.all(
    names.map(async (file) => {
      const [Exported] = Object.values((await import(new URL(file, FOLDER).href)) as Record<string, MigrationClass>);
      const migration = new Exported!({ execute: async () => [{ name: 'requests_rest' }] }, undefined);
      await migration.up();
      const statements = migration.getQueries().map(String);
      return { name: file.slice(0, -'.ts'.length), statements, isTransactional: migration.isTransactional() };
    }),
  );
}

test('new migrations break no rule of CONTRIBUTING.md', async () => {
  const migrations = await readMigrations();
  expect(migrations.length).toBeGreaterThan(10);
  const found = migrations.map((migration) => ({
    name: migration.name,
    rules: brokenRules(migration).filter((rule) => !EXEMPT[migration.name]?.rules.includes(rule)),
  }));
  expect(found.filter(({ rules }) => rules.length > 0)).toEqual([]);
  for (const name of Object.keys(EXEMPT)) expect(migrations.map((one) => one.name)).toContain(name);
});

describe('a rule', () => {
  test.each([
    ['removes', 'alter table runs drop column if exists error'],
    ['removes', 'drop table "runs" cascade'],
    ['removes', 'drop function ledger_room(text)'],
    ['renames', 'alter table "runs" rename column "error" to "failure"'],
    ['renames', 'alter table runs rename to jobs'],
    ['changes a type', 'alter table runs alter column error type text'],
    ['requires a value', 'alter table runs add column "mode" text not null'],
    ['requires a value', 'alter table runs alter column error set not null'],
    ['blocks writes', 'create index runs_mode_index on runs (mode)'],
    ['blocks writes', 'create unique index "runs_mode_index" on "runs" ("mode")'],
    ['blocks writes', `alter table runs add constraint runs_mode_check check (mode in ('a'))`],
    ['blocks writes', 'alter table runs add constraint runs_mode_unique unique (mode)'],
    ['rewrites rows', `update runs set mode = 'a'`],
    ['rewrites rows', `alter table runs add column at timestamptz not null default clock_timestamp()`],
    ['withdraws a right', 'revoke update on runs from ledgerline_system'],
  ])('is broken by one that %s: %s', (rule, statement) => {
    expect(brokenRules({ statements: [statement], isTransactional: true })).toEqual([rule]);
  });

  test('allows what the last release does not notice', () => {
    const statements = [
      `create table "modes" ("id" text not null, primary key ("id")); create index modes_index on modes (id)`,
      `insert into modes (id) values ('drop table runs')`,
      'alter table modes add constraint modes_check check (id is not null)',
      `alter table runs add column mode text not null default 'a', add column note text null`,
      `alter table runs add constraint runs_mode_check check (mode in ('a')) not valid`,
      'grant update (mode) on runs to ledgerline_system',
      `create function f() returns int language plpgsql as $$ begin update runs set mode = 'b'; return 1; end $$;`,
    ];
    expect(brokenRules({ statements, isTransactional: true })).toEqual([]);
    const concurrently = ['create index concurrently if not exists runs_mode_index on runs (mode)'];
    expect(brokenRules({ statements: concurrently, isTransactional: false })).toEqual([]);
    expect(brokenRules({ statements: concurrently, isTransactional: true })).toEqual(['blocks writes']);
  });
});

describe('a migration', () => {
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let holder: Client;
  let watcher: Client;
  beforeAll(async () => {
    database = await makeDatabase();
    [holder, watcher] = [0, 1].map(() => new Client({ connectionString: ownerUrlOf(database.url) })) as [
      Client,
      Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
  });
  afterAll(async () => {
    await Promise.all([holder.end(), watcher.end()]);
    await database.drop();
  });

  test('gives way to a long transaction, and gets its lock when that ends', async () => {
    await watcher.query(`comment on function ledger_room is 'changed'`);
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(7212)');
    let isDone = false;
    const migrating = migrate(ownerUrlOf(database.url)).then((applied) => {
      isDone = true;
      return applied;
    });
    const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const waits = async () => (await watcher.query(sql)).rowCount;
    await until(async () => Boolean(await waits()));
    // Its wait ends by its session's limit, not with the other transaction.
    await until(async () => !(await waits()));
    expect(isDone).toBe(false);
    await holder.query('commit');
    expect(await migrating).toEqual(['ledger_room']);
  });
});
