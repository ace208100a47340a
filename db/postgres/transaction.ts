import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in a transaction and commits; an error rolls it back and is rethrown. Await only the database within it. `begin` may set
 * the transaction up.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
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
