import type { Pool, PoolClient } from 'pg';
import { endHolding, holdMessages } from './heldNotices.ts';

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

// What pools say of a connection that has not opened in time, not of one that has not become free.
const NOT_OPENED = 'Connection terminated due to connection timeout';

/** A connection of the pool. On a busy machine one more may take too long to open, while others work: one of those is taken then. */
async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    if ((error as Error).message !== NOT_OPENED || pool.totalCount === 0) throw error;
    return pool.connect();
  }
}

async function onClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  holdMessages(client);
  try {
    const result = await work(client);
    await client.query('commit');
    endHolding(client, true);
    client.release();
    return result;
  } catch (error) {
    endHolding(client, false);
    await undo(client);
    throw error;
  }
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
