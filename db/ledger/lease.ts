import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import type { Settlement } from './settlement.ts';

// Share of the lease: no holds are given out well before another process may consider this one dead.
const TRUSTED_SHARE = 0.75;

/** What operators look up before they change the database's limits or a key. */
export interface ProcessNeeds {
  /** Connections that this process may open to the database itself. */
  connectionsMax?: number | undefined;
  /** The ids of its keys, by their variable: the first one encrypts. */
  keyIds?: Record<string, string[]> | undefined;
}

/**
 * The lease under which this process owns its holds. It is in the database and timed by the database's clock, which each renewal
 * synchronises to `clock`.
 */
export function createLease({
  pool,
  leaseMs,
  role,
  needs: { connectionsMax, keyIds },
  clock,
}: {
  pool: Pool;
  leaseMs: number;
  role: 'api' | 'worker';
  needs: ProcessNeeds;
  clock: DatabaseClock;
}) {
  let processId = newId('proc');
  let renewedAtMs = -Infinity;

  async function register(): Promise<void> {
    const sentAtMs = performance.now();
    const { rows } = await pool.query<{ clock_ms: number }>(
      `insert into processes (id, role, lease_until, backend_pid, backend_of, renewed_at, steady_since, connections_max, key_ids)
        values ($1, $3, clock_timestamp() + $2 * interval '1 millisecond', pg_backend_pid(), pg_postmaster_start_time(), clock_timestamp(), clock_timestamp(), $4, $5)
        returning ${CLOCK_MS} as clock_ms`,
      [processId, leaseMs, role, connectionsMax ?? null, keyIds ?? null],
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

/** The database's clock as estimated by this process. */
export type DatabaseClock = ReturnType<typeof createDatabaseClock>;

/** SQL: the database's clock now, in milliseconds since 1970, as a double. */
const CLOCK_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/**
 * Converts `performance.now()` to the database's time. Never ahead of it, because an answer arrives after the database has read its
 * clock. The process's wall clock is not used.
 */
export function createDatabaseClock() {
  let offsetMs = -Infinity;
  return {
    /** Call it as soon as an answer with the database's time arrives. */
    learn: (databaseMs: number): void => void (offsetMs = databaseMs - performance.now()),
    /** The database's time at `localMs`, in milliseconds since 1970; infinite for an infinite `localMs`. */
    at: (localMs: number): number => (localMs === Infinity ? Infinity : localMs + offsetMs),
  };
}

/** What running calls hold of each slice: nano-USD by the id of the slice's hold. */
export type SlicesInUse = Record<string, number>;

/**
 * Renews the lease of a process and stores its streams' progress and what its calls hold. Not live: it was reaped, its holds are gone.
 * `clockMs` is the database's time.
 */
export async function flushProcess(
  pool: Pool,
  flush: { processId: string; leaseMs: number; progress: Settlement[]; usedKeyIds: string[]; inUse: SlicesInUse },
): Promise<{ live: boolean; clockMs: number }> {
  const { rows } = await pool.query({
    name: 'ledger_flush',
    text: `select ledger_flush(p_process => $1, p_lease_ms => $2, p_progress => $3, p_used_keys => $4, p_in_use => $5) as live,
      ${CLOCK_MS} as clock_ms`,
    values: [flush.processId, flush.leaseMs, JSON.stringify(flush.progress), flush.usedKeyIds, flush.inUse],
  });
  return { live: rows[0].live, clockMs: rows[0].clock_ms };
}

/** The database's time, in milliseconds since 1970. */
export async function readClock(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ clock_ms: number }>(`select ${CLOCK_MS} as clock_ms`);
  return rows[0]!.clock_ms;
}
