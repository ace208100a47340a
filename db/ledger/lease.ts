import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { CLOCK_MS, type DatabaseClock } from './databaseClock.ts';
import type { Settlement } from './settlement.ts';
import { flushProcess, type SlicesInUse } from './statements.ts';

// Share of the lease: no holds are given out well before another process may consider this one dead.
const TRUSTED_SHARE = 0.75;

/**
 * The lease under which this process owns its holds. It is in the database and timed by the database's clock, which each renewal
 * synchronises to `clock`.
 */
export function createLease({ pool, leaseMs, clock }: { pool: Pool; leaseMs: number; clock: DatabaseClock }) {
  let processId = newId('proc');
  let renewedAtMs = -Infinity;

  async function register(): Promise<void> {
    const sentAtMs = performance.now();
    const { rows } = await pool.query<{ clock_ms: number }>(
      `insert into processes (id, lease_until) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
        returning ${CLOCK_MS} as clock_ms`,
      [processId, leaseMs],
    );
    clock.learn(rows[0]!.clock_ms);
    renewedAtMs = sentAtMs;
  }

  /** Renews the lease and stores the progress of streams. False: the lease had expired and everything under it was ended. */
  async function renew(kept: { progress: Settlement[]; usedKeyIds: string[]; inUse: SlicesInUse }): Promise<boolean> {
    const sentAtMs = performance.now();
    const { live, clockMs } = await flushProcess(pool, { processId, leaseMs, ...kept });
    clock.learn(clockMs);
    if (live) renewedAtMs = sentAtMs;
    return live;
  }

  /** Starts over as a new process. */
  async function restart(): Promise<void> {
    processId = newId('proc');
    await register();
  }

  async function end(): Promise<void> {
    await pool.query('update processes set lease_until = clock_timestamp() where id = $1', [processId]);
  }

  return {
    id: () => processId,
    live: () => performance.now() - renewedAtMs < leaseMs * TRUSTED_SHARE,
    register,
    renew,
    restart,
    end,
  };
}
