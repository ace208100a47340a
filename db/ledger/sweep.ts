import type { Pool } from 'pg';
import { oneAtATime } from '../../base/waiting.ts';
import { postLeft } from './batches.ts';
import { refundUndelivered } from './deliveryJournal.ts';

/** The result of a sweep. */
export interface ReapReport {
  processesReaped: number;
  requestsSettled: number;
  holdsReleased: number;
}

/** Ends what dead processes left: settles their streams by the stored progress, releases their holds, refunds answers they did not send. */
export function createSweep({ pool, journalFolder }: { pool: Pool; journalFolder: string }) {
  const strangeJournals = new Set<string>();
  const reapOnce = oneAtATime<void, ReapReport>(reap);

  async function reap(): Promise<ReapReport> {
    await postLeft(pool);
    return reapDead(pool);
  }

  /** The part that runs each second: looks for work before it does any. */
  async function tick(): Promise<void> {
    if (await isReapDue(pool)) await reapOnce();
    await refundUndelivered(pool, journalFolder, strangeJournals);
  }

  return { reap, reapOnce, tick };
}

/** Whether the sweep has work: a process with an expired lease, or batches that are overdue. */
export async function isReapDue(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>({
    name: 'ledger_reap_due',
    text: `select exists (select from processes where reaped_at is null and lease_until < clock_timestamp())
      or exists (select from settlement_batches where refusal is null
        and (written_at < now() - interval '1 minute' or written_at < pg_postmaster_start_time())) as due`,
  });
  return rows[0]!.due;
}

async function reapDead(pool: Pool): Promise<ReapReport> {
  const { rows } = await pool.query('select * from ledger_reap()');
  const row = rows[0];
  return {
    processesReaped: row.processes_reaped,
    requestsSettled: row.requests_settled,
    holdsReleased: row.holds_released,
  };
}
