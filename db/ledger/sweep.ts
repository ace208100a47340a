import { readFile, rm, stat } from 'node:fs/promises';
import type { Pool } from 'pg';
import { SILENT_SECONDS } from '../../base/limits.ts';
import { staleTempFiles } from '../../base/temporaryFiles.ts';
import { oneAtATime } from '../../base/waiting.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { postBatches, postLeft } from './batches.ts';
import { readJournal, type BilledAnswer } from './deliveryJournal.ts';

// Older journals belong to another installation, whose own processes have handled them by now.
const UNREADABLE_KEPT_MS = 7 * 86_400_000;
const NOT_DELIVERED_STATUS = 503;

/** The result of a sweep. */
export interface ReapReport {
  processesReaped: number;
  requestsSettled: number;
  holdsReleased: number;
}

/** Ends the calls of dead processes: settles their streams by the stored progress, releases their holds, refunds unsent answers. */
export function createSweep({ pool, journalFolder }: { pool: Pool; journalFolder: string }) {
  const strangeJournals = new Set<string>();
  const reapOnce = oneAtATime<void, ReapReport>(reap);

  async function reap(): Promise<ReapReport> {
    await pool.query(MARK_GONE);
    await postLeft(pool);
    return reapDead(pool);
  }

  /** The part that runs each second: first checks whether there is work. */
  async function tick(): Promise<void> {
    await pool.query(MARK_GONE);
    if (await isReapDue(pool)) await reapOnce();
    await refundUndelivered(pool, journalFolder, strangeJournals);
  }

  return { reap, reapOnce, tick };
}

/** Whether the sweep has work: a dead process, or batches that are overdue. */
export async function isReapDue(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>({
    name: 'ledger_reap_due',
    text: `select exists (select from processes p where reaped_at is null and ledger_dead(p))
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

/**
 * Refunds answers that killed processes of this machine had billed and not sent. A process counts as killed when it no longer runs on the
 * machine and it was reaped or its lease has expired; its answers are refunded once none of them can be billed any more. Idempotent. `strange` remembers
 * the paths of other installations' journals between calls, so that they are read once and not each second.
 */
export async function refundUndelivered(pool: Pool, folder: string, strange = new Set<string>()): Promise<void> {
  for (const path of journalsIn(folder)) {
    if (!strange.has(path) && !(await refundIn(pool, path))) strange.add(path);
  }
}

function journalsIn(folder: string): string[] {
  try {
    return staleTempFiles(folder, 'ledgerline-answers');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

// False: the journal is another installation's.
async function refundIn(pool: Pool, path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return true;
  const { processId, unsent, notAfterMs } = readJournal(text);
  const { rows } = await pool.query<{ over: boolean }>(OVER, [processId, notAfterMs / 1_000]);
  if (!rows[0]) {
    await removeOld(path);
    return false;
  }
  if (!rows[0].over) return true;
  const written = await pool.query<{ id: string }>(WRITTEN, [processId]);
  await postBatches(
    pool,
    written.rows.map(({ id }) => id),
  );
  await refundAnswers(pool, unsent);
  await rm(path, { force: true });
  return true;
}

/** Refunds answers that were billed and never sent; not one that a retry has got as a kept answer. */
export async function refundAnswers(pool: Pool, answers: BilledAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const ids = answers.map(({ id }) => id);
  const holds = answers.map(({ hold }) => hold);
  await inTransaction(pool, async (client) => {
    await client.query(LOCK_ACCOUNTS, [ids]);
    // A retry marks this row before it sends the answer.
    await client.query(LOCK_KEPT, [ids]);
    await client.query(REFUND, [ids, holds, NOT_DELIVERED_STATUS]);
  });
}

async function removeOld(path: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  if (Date.now() - mtimeMs > UNREADABLE_KEPT_MS) await rm(path, { force: true });
}

// Its connections are others after a restart or failover of the database.
const MARK_GONE = `
update processes set gone_at = clock_timestamp()
where reaped_at is null and gone_at is null and renewed_at < clock_timestamp() - interval '${SILENT_SECONDS} seconds'
  and backend_of = pg_postmaster_start_time() and not exists (select from pg_stat_get_activity(backend_pid))`;
const OVER = `
select (reaped_at is not null or lease_until < clock_timestamp()) and to_timestamp($2) < clock_timestamp() as over
from processes where id = $1`;
const WRITTEN = 'select id from settlement_batches where process_id = $1 and refusal is null';
// Accounts are locked in the same order everywhere: see the rules' README.
const LOCK_ACCOUNTS = `
select from accounts where id in (select account_id from ledger_entries where kind = 'debit' and subject = any ($1))
order by id collate "C" for update`;
const LOCK_KEPT = `
select from answer_parts where request_id = any ($1) and part = 0 order by request_id collate "C" for update`;
const REFUND = `
select ledger_refund(a.id, a.hold, $3) from unnest($1::text[], $2::text[]) a(id, hold)
where not exists (select from request_retries r where r.request_id = a.id)`;
