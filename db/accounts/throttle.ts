import { hash } from 'node:crypto';
import type { Queryable } from '../postgres/queryable.ts';

/** The permitted number of attempts per period. */
export interface Allowance {
  triesMax: number;
  windowSeconds: number;
}

/** The result of an attempt: the wait for an excess attempt, otherwise 0; and whether it was the first excess one. */
export interface Counted {
  waitMs: number;
  isFirst: boolean;
}

/** Counts an attempt across all processes. */
export async function countTry(client: Queryable, subject: string, allowance: Allowance): Promise<Counted> {
  const values = [keyOf(subject), allowance.windowSeconds];
  const { rows } = await client.query<{ count: number; wait_ms: number }>({
    name: 'count_try',
    text: COUNT_TRY,
    values,
  });
  const { count, wait_ms: waitMs } = rows[0]!;
  const { triesMax } = allowance;
  return { waitMs: count > triesMax ? Math.max(1_000, waitMs) : 0, isFirst: count === triesMax + 1 };
}

/** Resets the attempts after the right password. */
export async function forgetTries(client: Queryable, subject: string): Promise<void> {
  await client.query('delete from throttles where key = $1', [keyOf(subject)]);
}

// Hashed, so that the table does not reveal the attempted addresses.
const keyOf = (subject: string): string => hash('sha256', subject, 'hex');

// Raw: an upsert that counts, so that concurrent attempts all count. Deletes expired rows too.
const COUNT_TRY = `
with gone as (delete from throttles where resets_at < now() - interval '1 day' and key <> $1)
insert into throttles as t (key, count, resets_at) values ($1, 1, now() + make_interval(secs => $2::int))
on conflict (key) do update set
  count = case when t.resets_at <= now() then 1 else t.count + 1 end,
  resets_at = case when t.resets_at <= now() then excluded.resets_at else t.resets_at end
returning count, (extract(epoch from resets_at - now()) * 1000)::int as wait_ms`;
