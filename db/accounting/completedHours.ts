import type { PoolClient } from 'pg';
import { timeSlotSql } from './callGroups.ts';

// A transaction in progress may have an earlier time than its commit; no statement takes longer than this.
export const OPEN_MINUTES = 10;

// After a long pause all are behind: the rest of an upkeep waits no longer than this, and the next one goes on.
export const UPKEEP_BUDGET_MS = 30_000;

/** The hour of a time, as SQL. */
export const hourOf = (time: string): string => timeSlotSql('hour', time);

/** The end of the last completed hour, as SQL: no call or run gets an earlier time any more. */
export const COMPLETED_UNTIL = hourOf(`now() - interval '${OPEN_MINUTES} minutes'`);

/** Hours that are summed from rows `f`: `table` says up to where, for each value of its `keys`. */
interface Rollup {
  table: string;
  keys: string[];
  /** The rows of the key's values `$1`, `$2`, as SQL. */
  facts: string;
  rowsPerStep: number;
}

/**
 * Sums the next hours of a key. False: nothing is left to sum, or another process is summing. The mark is locked meanwhile, because a
 * correction of a summed call lowers it.
 */
export async function sumNextHours(
  client: PoolClient,
  { table, keys, facts, rowsPerStep }: Rollup,
  values: string[],
  sum: (since: Date, until: Date) => Promise<unknown>,
): Promise<boolean> {
  const isKey = keys.map((key, at) => `u.${key} = $${at + 1}`).join(' and ');
  const { rows } = await client.query<{ since: Date; until: Date }>(
    `select u.summed_until as since, least(${COMPLETED_UNTIL}, greatest(u.summed_until + interval '1 hour', coalesce(
       (select ${hourOf('f.settled_at')} from ${facts} and f.settled_at >= u.summed_until
         order by f.settled_at offset ${rowsPerStep} limit 1), ${COMPLETED_UNTIL}))) as until
     from ${table} u where ${isKey} for update skip locked`,
    values,
  );
  if (rows.length === 0) {
    const begin = `insert into ${table} (${keys.join(', ')}, summed_until)
      select ${keys.map((_, at) => `$${at + 1}`).join(', ')}, coalesce((select ${hourOf('min(f.settled_at)')} from ${facts}), ${COMPLETED_UNTIL})
      on conflict do nothing`;
    return (await client.query(begin, values)).rowCount === 1;
  }
  const { since, until } = rows[0]!;
  if (since >= until) return false;
  await sum(since, until);
  const advance = `update ${table} u set summed_until = $${keys.length + 1} where ${isKey}`;
  await client.query(advance, [...values, until]);
  return true;
}

/** Sums step by step, until nothing is left or `budgetMs` have passed. A step that resolves with false found nothing to sum. */
export async function sumWithin(budgetMs: number, step: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + budgetMs;
  while (performance.now() < deadlineMs) if (!(await step())) return;
}

/** Sums for one after the other; begins with none after `budgetMs`. Returns the number of those summed. */
export async function sumEachWithin<One>(
  budgetMs: number,
  all: One[],
  sum: (one: One) => Promise<void>,
): Promise<number> {
  const deadlineMs = performance.now() + budgetMs;
  let count = 0;
  for (const one of all) {
    if (performance.now() >= deadlineMs) break;
    await sum(one);
    count += 1;
  }
  return count;
}
