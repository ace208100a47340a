import { Client } from 'pg';
import { ownerUrlOf } from './database.ts';

/**
 * Makes the database's `now()` a clock that a test can set: its functions find ours before PostgreSQL's own. To be called before
 * anything else connects. The given moment is a SQL expression, such as `date_trunc('month', pg_catalog.now())`.
 */
export async function ownDatabaseClock(url: string) {
  const client = new Client({ connectionString: ownerUrlOf(url) });
  await client.connect();
  await client.query(`
    create schema clock;
    create table clock.shift (by interval not null);
    insert into clock.shift values ('0');
    create function clock.now() returns timestamptz language sql stable as 'select pg_catalog.now() + by from clock.shift';
    grant usage on schema clock to public;
    grant select on clock.shift to public;
    do $$ begin execute format('alter database %I set search_path = clock, pg_catalog, public', current_database()); end $$;`);
  return {
    set: async (moment: string) => {
      await client.query(`update clock.shift set by = (${moment}) - pg_catalog.now()`);
    },
    end: () => client.end(),
  };
}
