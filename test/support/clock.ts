import { jest } from '@jest/globals';
import { join } from 'node:path';
import { Client } from 'pg';
import { ownerUrlOf } from './database.ts';
import { productGlobal } from './productRealm.ts';
import { until } from './until.ts';

const TICK_MS = 10;

/**
 * A clock of this process's running time in milliseconds, accurate to about ten: it stops while the process does not run. A test of speed
 * can use it on a busy machine.
 */
export function startOwnClock(): () => number {
  let ticks = 0;
  setInterval(() => (ticks += 1), TICK_MS).unref();
  return () => ticks * TICK_MS;
}

/** Makes the product's timers of one length shorter or longer, until the mocks are restored. */
export function retime({ fromMs, toMs }: { fromMs: number; toMs: number }): void {
  for (const kind of ['setTimeout', 'setInterval'] as const) {
    const original = productGlobal[kind];
    const retimed = (callback: () => void, ms?: number, ...args: []) =>
      original(callback, ms === fromMs ? toMs : ms, ...args);
    jest.spyOn(productGlobal, kind).mockImplementation(retimed);
  }
}

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

const DAY_MS = 86_400_000;
const ROOM_MS = 60_000;

/** Waits until the last minute of a UTC day is over, for tests with daily limits. */
export function waitPastMidnight(): Promise<void> {
  return until(() => DAY_MS - (Date.now() % DAY_MS) > ROOM_MS, { pollMs: 250, timeoutMs: 2 * ROOM_MS });
}
