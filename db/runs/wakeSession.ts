import type { Pool } from 'pg';
import { inTransaction } from '../postgres/transaction.ts';
import type { RunRow } from './runRow.ts';
import { wakeNextRun } from './wakeNextRun.ts';

/** Lets the oldest waiting run of a session go, when no other run of it is at work. Returns the run, which is to be started. */
export async function wakeSession(pool: Pool, sessionId: string): Promise<RunRow | undefined> {
  return inTransaction(pool, async (client) => {
    await client.query('select from sessions where id = $1 for update', [sessionId]);
    return wakeNextRun(client, sessionId);
  });
}
