import { join } from 'node:path';
import { Client } from 'pg';
import { ownerUrlOf } from './database.ts';
import { productGlobal } from './productRealm.ts';
import { shiftedDate } from './shiftedDate.ts';
import { until } from './until.ts';

/** The environment of a process whose wall clock is off by the first of these values, and can be stepped to the others. */
export function startStepped(offsetsMs: number[]): Record<string, string> {
  const clock = join(import.meta.dirname, 'steppedClock.ts');
  return { NODE_OPTIONS: `--import=${clock}`, CLOCK_STEPS_MS: offsetsMs.join(',') };
}

/** Steps such a process's clock to the next value, and waits for it. */
export async function stepClock({ pid, lines }: { pid: number; lines: string[] }): Promise<void> {
  const countSteps = () => lines.filter((line) => line.startsWith('the clock is off')).length;
  const before = countSteps();
  process.kill(pid, 'SIGUSR2');
  await until(() => countSteps() > before);
}

/** Gives this process another wall clock, which can be set again. Its timers and its monotonic clock are unaffected. */
export function ownProcessClock() {
  const TrueDate = productGlobal.Date;
  let offsetMs = 0;
  productGlobal.Date = shiftedDate(TrueDate, () => offsetMs);
  return {
    set: (moment: string) => (offsetMs = TrueDate.parse(moment) - TrueDate.now()),
    end: () => void (productGlobal.Date = TrueDate),
  };
}

const MOMENTS = ['now', 'transaction_timestamp', 'statement_timestamp', 'clock_timestamp'];

/**
 * Makes the database's `now()` and its like a clock that a test can set: its functions and the defaults of its columns find ours before
 * PostgreSQL's own. To be called before anything else connects. The given moment is a SQL expression, such as
 * `date_trunc('month', pg_catalog.now())`.
 */
export async function ownDatabaseClock(url: string) {
  const client = new Client({ connectionString: ownerUrlOf(url) });
  await client.connect();
  await client.query(`
    create schema clock;
    create table clock.shift (by interval not null);
    insert into clock.shift values ('0');
    grant usage on schema clock to public;
    grant select on clock.shift to public;`);
  for (const name of MOMENTS)
    await client.query(`create function clock.${name}() returns timestamptz language sql ${name === 'clock_timestamp' ? 'volatile' : 'stable'}
      as 'select pg_catalog.${name}() + by from clock.shift'`);
  await client.query(DEFAULTS);
  return {
    set: async (moment: string) => {
      await client.query(`update clock.shift set by = (${moment}) - pg_catalog.now()`);
    },
    end: () => client.end(),
  };
}

const DEFAULTS = `
do $$ declare c record; begin
  execute format('alter database %I set search_path = clock, pg_catalog, public', current_database());
  for c in select d.adrelid::regclass as relation, a.attname as name, pg_get_expr(d.adbin, d.adrelid) as moment from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where pg_get_expr(d.adbin, d.adrelid) in ('now()', 'clock_timestamp()')
  loop execute format('alter table %s alter column %I set default clock.%s', c.relation, c.name, c.moment); end loop;
end $$`;
