import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { treeMicrosOf } from './machine/processor.ts';

/** Reads what calls cost PostgreSQL. */
export interface DatabaseMeter {
  /** Processor time of all its processes since its start, in microseconds. */
  cpuMicros(): number;
  /** Resolves once the settlements of all answered calls are in the ledger. */
  posted(): Promise<void>;
}

const POLL_MS = 50;
const WAIT_MS = 30_000;

export function createDatabaseMeter({ pool }: Database, postmasterPid: number): DatabaseMeter {
  return { cpuMicros: () => treeMicrosOf(postmasterPid), posted: () => allPosted(pool) };
}

/** Waits until no settlement that is on disk waits to be posted, without asking anyone to post it. */
export async function allPosted(pool: Database['pool']): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS;
  while ((await pool.query('select from settlement_batches limit 1')).rowCount !== 0) {
    if (performance.now() > deadlineMs) throw new Error(`settlements were not posted within ${WAIT_MS} ms`);
    await sleep(POLL_MS);
  }
}
