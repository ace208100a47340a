import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { ownerUrlOf, withClient } from '../../support/database.ts';

/** The changes of commit b85d7470 to an empty database: its migrations, and the functions in its `db/ledger/sql/`. */
interface Before {
  migrations: { name: string; isTransactional: boolean; statements: string[] }[];
  ledger: string[];
}

/**
 * Runs `work` with the address (the owner's login) of an empty database beside the one at `url`, or of a copy of `template`, and removes
 * it.
 */
export async function withEmptyDatabase<T>(
  url: string,
  work: (url: string) => Promise<T>,
  template = 'template1',
): Promise<T> {
  const name = `${nameOf(url)}_before`;
  await withClient(ownerUrlOf(url), (client) => client.query(`create database ${name} template ${template}`));
  try {
    return await work(besides(url, name));
  } finally {
    await withClient(ownerUrlOf(url), (client) => client.query(`drop database ${name} with (force)`));
  }
}

/** A template database beside the one at `url`, as of commit b85d7470: its name, and a function that removes it. */
export async function makeBefore(url: string): Promise<{ name: string; drop(): Promise<unknown> }> {
  const name = `${nameOf(url)}_chain`;
  await withClient(ownerUrlOf(url), (client) => client.query(`create database ${name}`));
  await withClient(besides(url, name), (client) => migrateAsBefore(client));
  return { name, drop: () => withClient(ownerUrlOf(url), (client) => client.query(`drop database ${name}`)) };
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const besides = (url: string, name: string) => Object.assign(new URL(ownerUrlOf(url)), { pathname: `/${name}` }).href;

/** Migrates an empty database as commit b85d7470 did; `pause` is called between its migrations, after the named one. */
export async function migrateAsBefore(client: Client, pause?: { after: string; work: () => Promise<unknown> }) {
  const { migrations, ledger } = JSON.parse(
    await readFile(new URL('beforeBaseline.json', import.meta.url), 'utf8'),
  ) as Before;
  await client.query(
    `create table mikro_orm_migrations (id serial primary key, name varchar(255) not null,
      executed_at timestamptz(6) not null default current_timestamp(6))`,
  );
  for (const { name, isTransactional, statements } of migrations) {
    if (isTransactional) await client.query('begin');
    for (const statement of statements) await client.query(statement);
    await client.query('insert into mikro_orm_migrations (name) values ($1)', [name]);
    if (isTransactional) await client.query('commit');
    if (name === pause?.after) await pause.work();
  }
  await client.query('set check_function_bodies = off');
  for (const sql of ledger) await client.query(sql);
  await client.query('reset check_function_bodies');
}
