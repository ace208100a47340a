import type { Database } from '../../db/database.ts';

/** How many locks sessions of this database wait for; of one kind if it is given, as `advisory`. */
export async function countLockWaits({ pool }: Pick<Database, 'pool'>, kind: string | null = null): Promise<number> {
  const { rows } = await pool.query<{ waits: number }>(WAITS, [kind]);
  return rows[0]!.waits;
}

// A session's statement is hidden from other roles, its locks are not.
const WAITS = `
select count(*)::int as waits from pg_locks l join pg_stat_activity s using (pid)
where not l.granted and s.datname = current_database() and ($1::text is null or l.locktype = $1)`;
