import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import type { Database } from '../../../db/database.ts';
import { medianOf } from '../statistics.ts';
import type { Work } from './works.ts';

/** The database's cost of one operation. */
export interface Cost {
  /** CPU time of PostgreSQL's processes. */
  cpuMicros: number;
  /** Pages that statements touched, whether cached or not. */
  pages: number;
  /** Bytes that statements wrote to the write-ahead log. */
  walBytes: number;
  /** Median duration. */
  ms: number;
}

/** Repeats an operation for one round, on an otherwise idle database. */
export async function costOf(work: Work, { db, owner }: { db: Database; owner: Client }): Promise<Cost> {
  if (work.prepare) await owner.query(work.prepare);
  await db.ledger.posted();
  await forgetTouched(owner);
  const pids = await readPids(owner);
  const cpuBefore = cpuMicrosOf(pids);
  const timesMs: number[] = [];
  for (let at = 0; at < work.times; at += 1) {
    const startedAtMs = performance.now();
    await work.run(db, at);
    timesMs.push(performance.now() - startedAtMs);
  }
  await db.ledger.posted();
  const cpuMicros = (cpuMicrosOf(pids) - cpuBefore) / work.times;
  const { pages, walBytes } = await readTouched(owner);
  return { cpuMicros, pages: pages / work.times, walBytes: walBytes / work.times, ms: medianOf(timesMs) };
}

async function readPids(owner: Client): Promise<number[]> {
  const { rows } = await owner.query<{ pid: number }>(`
select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
  return rows.map(({ pid }) => pid);
}

/** CPU time of the processes in microseconds: Linux counts nanoseconds. */
function cpuMicrosOf(pids: number[]): number {
  return pids.reduce(
    (sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000,
    0,
  );
}

const DATABASE = '(select oid from pg_database where datname = current_database())';

export const forgetTouched = (owner: Client) => owner.query(`select pg_stat_statements_reset(0, ${DATABASE}, 0)`);

/** The pages and log bytes of all statements since the reset, except for periodic ones: unused slices are returned each second. */
export async function readTouched(owner: Client): Promise<{ pages: number; walBytes: number }> {
  const { rows } = await owner.query<{ pages: string; wal: string }>(`
select coalesce(sum(shared_blks_hit + shared_blks_read), 0) as pages, coalesce(sum(wal_bytes), 0) as wal from pg_stat_statements
where dbid = ${DATABASE} and query !~ 'ledger_flush|ledger_reap|ledger_give_back|pg_stat_|pg_terminate'`);
  return { pages: Number(rows[0]!.pages), walBytes: Number(rows[0]!.wal) };
}
