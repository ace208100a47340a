import type { PayoutSource } from '../entities/payment.ts';
import type { Queryable } from '../postgres/queryable.ts';

/** Where a payout goes: to the workspace's own prepaid balance, or out of the platform. */
export type PayoutDestination = 'balance' | 'transfer';

/** Makes other payouts of the workspace wait until the transaction ends. */
export async function lockEarnings(client: Queryable, workspaceId: string): Promise<void> {
  await client.query('select ledger_earnings($1)', [workspaceId]);
}

/** Earnings that may be paid out now, in nano-USD. */
export interface Payable {
  /** No earnings from after this. */
  maturedBefore: Date;
  toBalanceNanos: bigint;
  /** The same without what the workspace's own balance lacks. */
  asTransferNanos: bigint;
}

/** What may be paid out of earnings that are this old, by the workspace's clock. See `ledger_matured` for what waits longer. */
export async function readPayable(client: Queryable, workspaceId: string, matureDays: number): Promise<Payable> {
  const { rows } = await client.query(PAYABLE, [workspaceId, matureDays]);
  const { before, nanos, short } = rows[0];
  const notBelowZero = (amount: bigint) => (amount > 0n ? amount : 0n);
  return {
    maturedBefore: before,
    toBalanceNanos: notBelowZero(BigInt(nanos)),
    asTransferNanos: notBelowZero(BigInt(nanos) - BigInt(short)),
  };
}

// Rounded up to milliseconds, as a `Date` has it.
const PAYABLE = `
select b.before, m.nanos, m.short_nanos as short
from (select date_trunc('milliseconds', ledger_now($1) - $2::int * interval '1 day') + interval '1 millisecond' as before) b, ledger_matured($1, b.before) m`;

/** Whether all that is left of the earnings, however old, covers what their callers and the workspace itself are short of. */
export async function coversShortfalls(client: Queryable, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query(`select nanos >= short_nanos as covers from ledger_matured($1, 'infinity')`, [
    workspaceId,
  ]);
  return rows[0].covers;
}

/** Where the earnings of a payout come from, the oldest that were not paid out first. */
export interface EarningSources {
  earnedFrom: Date;
  earnedUntil: Date;
  /** Its callers, the one with the largest part first. */
  sources: PayoutSource[];
}

/** The sources of the next payout of this amount. */
export async function findSources(
  client: Queryable,
  workspaceId: string,
  amountNanos: bigint,
): Promise<EarningSources> {
  const { rows } = await client.query(SOURCES, [workspaceId, amountNanos]);
  const parts = rows as { caller: string; nanos: string; first: Date; last: Date }[];
  const times = parts.flatMap(({ first, last }) => [first.getTime(), last.getTime()]);
  return {
    earnedFrom: new Date(Math.min(...times)),
    earnedUntil: new Date(Math.max(...times)),
    sources: parts.map(({ caller, nanos }) => ({ workspaceId: caller, nanos })),
  };
}

// A subsidised run may have no debit: then the platform is the source.
const SOURCES = `
with earned as (
  select e.subject, e.created_at, e.amount_nanos, sum(e.amount_nanos) over (order by e.created_at, e.transaction_id) as total
  from ledger_legs e where e.workspace_id = $1 and e.kind = 'earning'),
taken as (
  select -coalesce(sum(amount_nanos), 0) as nanos from ledger_legs where account_id = 'payable_' || $1 and kind <> 'earning')
select coalesce(d.workspace_id, 'platform') as caller, min(e.created_at) as first, max(e.created_at) as last,
  sum(least(e.total, t.nanos + $2::bigint) - greatest(e.total - e.amount_nanos, t.nanos))::bigint as nanos
from earned e cross join taken t left join ledger_legs d on d.kind = 'debit' and d.subject = e.subject
where e.total > t.nanos and e.total - e.amount_nanos < t.nanos + $2::bigint
group by 1 order by nanos desc, caller`;

/** Takes a payout from the earnings, once for each id. A transfer is set aside until it is sent or returned. */
export async function payOut(
  client: Queryable,
  payout: { id: string; workspaceId: string; destination: PayoutDestination; amountNanos: bigint },
): Promise<void> {
  const { id, workspaceId, destination, amountNanos } = payout;
  await client.query('select ledger_pay_out($1, $2, $3, $4)', [id, workspaceId, destination, amountNanos]);
}

/** Ends a transfer that was set aside: the money has left the platform, or is among the earnings again. */
export async function endTransfer(
  client: Queryable,
  { id, workspaceId, amountNanos }: { id: string; workspaceId: string; amountNanos: bigint },
  status: 'sent' | 'rejected',
): Promise<void> {
  const [kind, to] = status === 'sent' ? ['payout_sent', 'payments'] : ['payout_returned', `payable_${workspaceId}`];
  await client.query('select ledger_move($1, $2, $3, $4, $5)', [kind, id, 'payouts', to, amountNanos]);
}
