import type { Pool } from 'pg';
import type { Queryable } from '../postgres/queryable.ts';
import type { SlicesInUse } from './lease.ts';

/** An account's money in nano-USD: what is settled, and how much of it calls and runs hold. */
export interface Balance {
  postedNanos: bigint;
  heldNanos: bigint;
}

/**
 * The balance of a workspace at one moment. For slices of other processes, what their calls held at their last flush counts as held; for
 * this process's slices, what `own` says.
 */
export async function findBalance(
  pool: Pool,
  workspaceId: string,
  own: { processId: string; inUse: SlicesInUse },
): Promise<Balance> {
  const { rows } = await pool.query<{ posted: string; held: string }>({
    name: 'ledger_balance',
    text: BALANCE,
    values: [workspaceId, own.processId, own.inUse],
  });
  const [row] = rows;
  if (!row) throw new Error(`no account for workspace ${workspaceId}`);
  return { postedNanos: BigInt(row.posted), heldNanos: BigInt(row.held) };
}

// One statement: with two, a settlement could come between them.
const BALANCE = `
select a.posted_nanos as posted,
  (select coalesce(sum(h.amount_nanos), 0) from holds h where h.account_id = a.id and h.state = 'open')
    - (select coalesce(sum(i.idle_nanos), 0) from ledger_idle(a.id, $2, $3) i) as held
from accounts a where a.workspace_id = $1`;

/** An amount that moves from a house account to a customer, or back when it is negative. */
export interface Transfer {
  kind: string;
  subject: string;
  workspaceId: string;
  houseAccountId: string;
  amountNanos: bigint;
  /** It reverses a payment, or undoes such a reversal: the balance may become negative, or smaller than what is held. */
  isReversal?: boolean;
}

/** Moves money between a customer and a house account, once for each `(kind, subject)`. False: it was done before. */
export async function postTransfer(pool: Queryable, transfer: Transfer): Promise<boolean> {
  const { rows } = await pool.query(POST, [
    transfer.kind,
    transfer.subject,
    transfer.workspaceId,
    transfer.houseAccountId,
    transfer.amountNanos,
    transfer.isReversal ?? false,
  ]);
  return rows[0].posted;
}

const POST = `
select ledger_post(p_kind => $1, p_subject => $2, p_workspace => $3, p_house => $4, p_amount => $5, p_reversal => $6) as posted`;
