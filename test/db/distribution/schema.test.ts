import { afterAll, expect, test } from '@jest/globals';
import { FATES } from '../../../db/erasure/fates.ts';
import { setTestDatabase } from '../../support/database.ts';
import { DIVIDED, PLACES, SEQUENCES, TRIGGERS, UNIQUE } from './places.ts';

const db = await setTestDatabase({ spends: false });
afterAll(() => db.close());

const namesOf = async (sql: string): Promise<string[]> =>
  (await db.pool.query<{ name: string }>(sql)).rows.map(({ name }) => name).toSorted();

const OURS = `c.relnamespace = 'public'::regnamespace and not c.relispartition`;
const HAS_WORKSPACE = (more: string) => `exists (select from pg_attribute w where w.attrelid = c.oid
  and w.attname = 'workspace_id' and not w.attisdropped ${more})`;
const OF_WORKSPACES = HAS_WORKSPACE('');
const TABLES = `from pg_class c where c.relkind in ('r', 'p') and ${OURS}`;

test('every table has its workspace as a required column, or a place of its own', async () => {
  const others = await namesOf(`select c.relname as name ${TABLES} and not ${HAS_WORKSPACE('and w.attnotnull')}`);
  expect(Object.keys(PLACES).toSorted()).toEqual(others);
});

test('what is of no workspace has no column for one', async () => {
  const withColumn = await namesOf(`select c.relname as name ${TABLES} and ${OF_WORKSPACES}`);
  const mixed = Object.entries(PLACES).flatMap(([table, { place }]) => (place === 'mixed' ? table : []));
  expect(Object.keys(PLACES).filter((table) => withColumn.includes(table))).toEqual(mixed);
});

test('an erasure has a fate for each table with a workspace', async () => {
  const withColumn = await namesOf(`select c.relname as name ${TABLES} and ${OF_WORKSPACES}`);
  expect(withColumn.filter((table) => !(table in FATES))).toEqual([]);
});

test('a unique index without the workspace has a reason', async () => {
  const without = await namesOf(`
select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
where i.indisunique and ${OURS} and ${OF_WORKSPACES}
  and not exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id' and w.attnum = any (i.indkey::int2[])
    and w.attnotnull)
  and not (i.indisprimary and i.indnatts = 1 and exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum = i.indkey[0]
    and a.attname = 'id' and a.atttypid = 'text'::regtype))`);
  expect(Object.keys(UNIQUE).toSorted()).toEqual(without);
});

test('no foreign key holds two tables together', async () => {
  expect(await namesOf(`select conname as name from pg_constraint where contype = 'f'`)).toEqual([]);
});

test('a trigger of a table of workspaces has a known reach', async () => {
  const used = await namesOf(`
select distinct t.tgfoid::regproc::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
where not t.tgisinternal and ${OURS} and ${OF_WORKSPACES}`);
  expect(Object.keys(TRIGGERS).toSorted()).toEqual(used);
});

test('counters are of a group', async () => {
  expect(await namesOf(`select c.relname as name from pg_class c where c.relkind = 'S' and ${OURS}`)).toEqual(
    Object.keys(SEQUENCES).toSorted(),
  );
});

test('a divided table is divided by no workspace', async () => {
  const divided = await namesOf(
    `select c.relname || ' ' || pg_get_partkeydef(c.oid) as name from pg_class c where c.relkind = 'p' and ${OURS}`,
  );
  expect(divided).toEqual(Object.entries(DIVIDED).map(([table, by]) => `${table} ${by}`));
});
