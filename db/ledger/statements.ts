import type { Pool } from 'pg';
import type { Queryable } from '../postgres/queryable.ts';
import { CLOCK_MS } from './databaseClock.ts';
import type { Settlement } from './settlement.ts';

export type HoldKind = 'slice' | 'request' | 'run';
export type HoldOutcome =
  'granted' | 'balance' | 'ceiling' | 'short' | 'held' | 'stale' | 'scarce' | 'revoked' | 'reaped';

export interface HoldAnswer {
  outcome: HoldOutcome;
  grantedNanos: bigint;
  partial: boolean;
  /** Until the UTC day ends, by the database's clock: spending under the hold counts towards that day. */
  dayLeftMs: number;
}

/** Takes a hold by the rules in sql/hold.sql. */
export async function takeHold(
  pool: Queryable,
  hold: { id: string; processId: string; keyId: string; kind: HoldKind; wantNanos: bigint; needNanos: bigint },
): Promise<HoldAnswer> {
  const { rows } = await pool.query({
    name: 'ledger_hold',
    text: 'select * from ledger_hold($1, $2, $3, $4, $5, $6)',
    values: [hold.id, hold.processId, hold.keyId, hold.kind, hold.wantNanos, hold.needNanos],
  });
  const row = rows[0];
  return {
    outcome: row.outcome,
    grantedNanos: BigInt(row.granted),
    partial: row.partial,
    dayLeftMs: Number(row.day_left_ms),
  };
}

/** Grows an open hold by at most `moreNanos`, and at most the `share`-th part of what is free. Returns the added amount. */
export async function extendHold(pool: Queryable, holdId: string, moreNanos: bigint, share: number): Promise<bigint> {
  const { rows } = await pool.query({
    name: 'ledger_extend',
    text: 'select ledger_extend($1, $2, $3) as added',
    values: [holdId, moreNanos, share],
  });
  return BigInt(rows[0].added);
}

/** Whether another open hold has money of the account that it may return. */
export async function isHeldByOthers(pool: Queryable, accountId: string, holdId: string): Promise<boolean> {
  const text = `select exists (select from holds where account_id = $1 and state = 'open' and id <> $2) as held`;
  const { rows } = await pool.query(text, [accountId, holdId]);
  return rows[0].held;
}

/** Lowers an open hold to `keepNanos`; a smaller one is unchanged. */
export async function shrinkHold(pool: Queryable, holdId: string, keepNanos: bigint): Promise<void> {
  await pool.query({ name: 'ledger_shrink', text: 'select ledger_shrink($1, $2)', values: [holdId, keepNanos] });
}

/** Returns a part of a slice, and ends it when `close` is set. */
export async function returnFunds(pool: Pool, holdId: string, amountNanos: bigint, close: boolean): Promise<void> {
  await pool.query({
    name: 'ledger_give_back',
    text: 'select ledger_give_back($1, $2, $3)',
    values: [holdId, amountNanos, close],
  });
}

/** Ends those of these holds that exist and are open. */
export async function closeHolds(pool: Pool, ids: string[]): Promise<void> {
  await pool.query(CLOSE, [ids]);
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
    text: `select ledger_flush($1, $2, $3, $4, $5) as live, ${CLOCK_MS} as clock_ms`,
    values: [flush.processId, flush.leaseMs, JSON.stringify(flush.progress), flush.usedKeyIds, flush.inUse],
  });
  return { live: rows[0].live, clockMs: rows[0].clock_ms };
}

/** The database's time, in milliseconds since 1970. */
export async function readClock(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ clock_ms: number }>(`select ${CLOCK_MS} as clock_ms`);
  return rows[0]!.clock_ms;
}

/** The result of a sweep. */
export interface ReapReport {
  processesReaped: number;
  requestsSettled: number;
  holdsReleased: number;
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

/** Ends what processes with an expired lease left behind. */
export async function reapDead(pool: Pool): Promise<ReapReport> {
  const { rows } = await pool.query('select * from ledger_reap()');
  const row = rows[0];
  return {
    processesReaped: row.processes_reaped,
    requestsSettled: row.requests_settled,
    holdsReleased: row.holds_released,
  };
}

/** Reverses the bill of an answer that never reached its caller, or prevents it from being billed. */
export async function reverseSettlement(pool: Pool, item: Settlement): Promise<bigint> {
  const { rows } = await pool.query('select ledger_reverse($1) as returned', [JSON.stringify(item)]);
  return BigInt(rows[0].returned);
}

/** An amount that moves from a house account to a customer, or back when it is negative. */
export interface Transfer {
  kind: string;
  subject: string;
  workspaceId: string;
  houseAccountId: string;
  amountNanos: bigint;
}

/** Moves money between a customer and a house account, once for each `(kind, subject)`. False: it was done before. */
export async function postTransfer(pool: Queryable, transfer: Transfer): Promise<boolean> {
  const { rows } = await pool.query('select ledger_post($1, $2, $3, $4, $5) as posted', [
    transfer.kind,
    transfer.subject,
    transfer.workspaceId,
    transfer.houseAccountId,
    transfer.amountNanos,
  ]);
  return rows[0].posted;
}

const CLOSE = `
select ledger_give_back(h.id, 0, true)
from (select id from holds where id = any ($1) and ended_at is null order by id collate "C" for update) h`;
