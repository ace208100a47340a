import type { Pool, PoolClient } from 'pg';
import { endHolding, holdMessages } from './heldNotices.ts';
import type { Queryable } from './queryable.ts';
import { isStalePlan, statementsSent } from './stalePlans.ts';

/**
 * Runs `work` in a transaction and commits; an error rolls it back and is rethrown. Await only the database within it. `begin` may set
 * the transaction up.
 */
export function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, begin = 'begin'): Promise<T> {
  return onClient(pool, async (client) => {
    await client.query(begin);
    return work(client);
  });
}

/**
 * The same for a transaction that begins with locks: the statements of `lock` are sent at once, together with `begin`. As that may fail
 * alone, they must change nothing outside of a transaction (`IS_BEGUN`).
 */
export function inLockedTransaction<Locked, T>(
  pool: Pool,
  lock: (client: PoolClient) => Promise<Locked>,
  work: (client: PoolClient, locked: Locked) => Promise<T>,
): Promise<T> {
  return onClient(pool, async (client) => {
    const [, locked] = await Promise.all([client.query('begin'), lock(client)]);
    return work(client, locked);
  });
}

/** SQL: an earlier statement of this transaction has locked a row. */
export const IS_BEGUN = 'pg_current_xact_id_if_assigned() is not null';

// Repeated once if its first statement, after `begin`, had a plan from before a migration: nothing was done, and its connection is replaced.
async function onClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>, isRepeated = false): Promise<T> {
  const client = await pool.connect();
  holdMessages(client);
  const sentBefore = statementsSent(client);
  try {
    const result = await work(client);
    await client.query('commit');
    endHolding(client, true);
    client.release();
    return result;
  } catch (error) {
    const isFirst = statementsSent(client) - sentBefore <= 2;
    endHolding(client, false);
    await undo(client);
    if (isRepeated || !isFirst || !isStalePlan(error)) throw error;
  }
  return onClient(pool, work, true);
}

// If the rollback fails, the client is closed, and its transaction ends with it.
async function undo(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}

/**
 * Waits until no other transaction has the turn of this name, and has it to the end of its own: what it counts stays exact until it has
 * inserted.
 */
export async function takeTurn(client: Queryable, name: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** When the transaction began, by the database's clock: it dates what the transaction writes. */
export async function transactionTime(client: Queryable): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select now() as now');
  return rows[0]!.now;
}
