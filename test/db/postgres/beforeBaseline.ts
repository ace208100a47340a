import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { ownerUrlOf, withClient } from '../../support/database.ts';

/** What commit b85d7470 did to an empty database: its migrations, and the functions in its `db/ledger/sql/`. */
interface Before {
  migrations: { name: string; isTransactional: boolean; statements: string[] }[];
  ledger: string[];
}

/** Does work with the address (the owner's login) of an empty database beside the one at `url`, and removes it. */
export async function withEmptyDatabase<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const owner = ownerUrlOf(url);
  const name = `${new URL(url).pathname.slice(1)}_before`;
  await withClient(owner, (client) => client.query(`create database ${name}`));
  try {
    return await work(Object.assign(new URL(owner), { pathname: `/${name}` }).href);
  } finally {
    await withClient(owner, (client) => client.query(`drop database ${name} with (force)`));
  }
}

/** Makes an empty database what commit b85d7470 made of one; `pause` is called between its migrations, after that of the name given. */
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
