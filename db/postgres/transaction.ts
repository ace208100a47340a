import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in a transaction of its own and commits. Whatever it throws is thrown on, and nothing of it stays. No call to anything
 * but the database may be awaited within.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await undo(client);
    throw error;
  }
}

// A client whose rollback fails is closed, and its transaction with it.
async function undo(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}
