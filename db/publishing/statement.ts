import { readPayable, type Payable } from '../ledger/earnings.ts';
import type { PayoutRow } from '../payments/payouts.ts';
import { PLAN_WHOLE_TABLES } from '../postgres/planning.ts';
import type { Rows } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';

/**
 * The result of one version of an agent on one day (UTC), apart for callers and for the publisher's own workspace. Amounts in nano-USD: the callers' payments (gross) plus the platform's subsidy
 * equal the platform's cost plus the network fee plus the earning.
 */
export interface StatementLine {
  date: string;
  agent: string;
  version: string;
  /** The runs of the publisher's own workspace, which pays itself. */
  isOwn: boolean;
  runs: number;
  /** The workspaces that ran it on this day. */
  callers: number;
  grossNanos: bigint;
  subsidyNanos: bigint;
  platformCostNanos: bigint;
  networkFeeNanos: bigint;
  earnedNanos: bigint;
}

/** Earnings paid out on a day (UTC): a payout to the balance, or a sent transfer. */
export interface PaidOut {
  date: string;
  payoutId: string;
  destination: PayoutRow['destination'];
  reference: string | null;
  amountNanos: bigint;
}

/** A publisher's month: the opening amount owed, the earnings, and the payouts. The closing amount owed follows. */
export interface PublisherStatement {
  lines: StatementLine[];
  paidOut: PaidOut[];
  /** Requested in the month, in any state. */
  payouts: PayoutRow[];
  /** A transfer is owed until it is sent. */
  openingNanos: bigint;
  closingNanos: bigint;
  /** All earnings to date. */
  balanceNanos: bigint;
  /** The part that may be paid out now, to the balance and as a transfer. */
  payable: Payable;
  /** The part that was neither paid out nor requested as a transfer, and cannot be yet. */
  maturingNanos: bigint;
  /** The earnings that are too young, by the day (UTC) on which they are old enough. */
  maturingOn: { date: string; amountNanos: bigint }[];
  /** Asked for as transfers that were not sent yet. */
  requestedNanos: bigint;
}

/**
 * A publisher's statement of a month (`YYYY-MM`, UTC), from the ledger: the lines sum to the entries of the runs settled in it, and the
 * payouts to the entries that paid them.
 */
export async function readStatement(
  rows: Rows,
  month: string,
  { matureDays }: { matureDays: number },
): Promise<PublisherStatement> {
  const { workspaceId } = rows;
  return rows.transaction(async ({ client, em, Payout, sql }) => {
    await client.query(PLAN_WHOLE_TABLES);
    const values = [workspaceId, `${month}-01`];
    const lines = (await client.query(LINES, values)).rows.map(lineOf);
    const paidOut = (await client.query(PAID_OUT, values)).rows.map(paidOutOf);
    const { opening } = (await client.query(OPENING, values)).rows[0];
    const { total, left } = (await client.query(BALANCE, [workspaceId])).rows[0];
    const payable = await readPayable(client, workspaceId, matureDays);
    const openingNanos = BigInt(opening);
    const closingNanos = openingNanos + sumOf(lines, 'earnedNanos') - sumOf(paidOut, 'amountNanos');
    const inMonth = sql`to_char(created_at at time zone 'utc', 'YYYY-MM') = ${month}`;
    const payouts = await em.find(Payout, { workspaceId, [inMonth]: [] }, { orderBy: { createdAt: 'asc', id: 'asc' } });
    const maturingNanos = BigInt(left) - payable.toBalanceNanos;
    const sums = { openingNanos, closingNanos, balanceNanos: BigInt(total), payable, maturingNanos };
    const young = (await client.query(YOUNG, [workspaceId, matureDays, payable.maturedBefore])).rows;
    const maturingOn = young.map(({ date, amount }) => ({ date, amountNanos: BigInt(amount) }));
    const requested = await em.find(Payout, { workspaceId, status: 'requested' });
    return { lines, paidOut, payouts, ...sums, maturingOn, requestedNanos: sumOf(requested, 'amountNanos') };
  });
}

/** An amount's sum over all rows. */
export const sumOf = <Name extends string>(rows: Record<Name, bigint>[], name: Name): bigint =>
  rows.reduce((sum, row) => sum + row[name], 0n);

function lineOf(row: Record<string, string> & { runs: number; callers: number; isOwn: boolean }): StatementLine {
  return {
    date: row.date!,
    agent: row.agent!,
    version: row.version!,
    isOwn: row.isOwn,
    runs: row.runs,
    callers: row.callers,
    grossNanos: BigInt(row.gross!),
    subsidyNanos: BigInt(row.subsidy!),
    platformCostNanos: BigInt(row.cost!),
    networkFeeNanos: BigInt(row.fee!),
    earnedNanos: BigInt(row.earned!),
  };
}

const paidOutOf = ({ amount, ...row }: Omit<PaidOut, 'amountNanos'> & { amount: string }): PaidOut => ({
  ...row,
  amountNanos: BigInt(amount),
});

// Raw: runs of callers and own ones, summed with the entries of the ledger. A run without margin has no earning, but is listed. A
// test workspace's run earns nothing.
const LINES = `
select to_char(r.settled_at at time zone 'utc', 'YYYY-MM-DD') as date, r.agent, r.version, r.workspace_id = $1 as "isOwn", count(*)::int as runs,
  count(distinct r.workspace_id)::int as callers,
  sum(r.total_nanos) as gross, sum(r.subsidy_nanos) as subsidy, sum(r.platform_cost_nanos) as cost, sum(r.network_fee_nanos) as fee,
  coalesce(sum(e.amount_nanos), 0) as earned
from runs r left join ledger_legs e on e.kind = 'earning' and e.subject = r.id and e.workspace_id = $1
where r.publisher_workspace_id = $1 and ${isLiveSql('r.workspace_id')} and r.settled_at >= $2::date at time zone 'utc'
  and r.settled_at < ($2::date + interval '1 month') at time zone 'utc' and r.total_nanos + r.subsidy_nanos > 0
group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

// Raw here and below: entries of house accounts.
const PAYMENTS = `payouts p join ledger_legs e on e.subject = p.id and e.kind = case p.destination when 'balance' then 'payout' else 'payout_sent' end`;

const PAID_OUT = `
select to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD') as date, p.id as "payoutId", p.destination, p.reference, abs(e.amount_nanos) as amount
from ${PAYMENTS} where p.workspace_id = $1 and e.created_at >= $2::date at time zone 'utc'
  and e.created_at < ($2::date + interval '1 month') at time zone 'utc' order by e.created_at, p.id`;

const OPENING = `
select (select coalesce(sum(e.amount_nanos), 0) from ledger_legs e join runs r on r.id = e.subject
    where e.workspace_id = $1 and e.kind = 'earning' and r.settled_at < $2::date at time zone 'utc')
  - (select coalesce(sum(abs(e.amount_nanos)), 0) from ${PAYMENTS} where p.workspace_id = $1 and e.created_at < $2::date at time zone 'utc') as opening`;

const YOUNG = `
select to_char((created_at + $2::int * interval '1 day') at time zone 'utc', 'YYYY-MM-DD') as date, sum(amount_nanos) as amount
from ledger_legs where workspace_id = $1 and kind = 'earning' and created_at >= $3 group by 1 order by 1`;

const BALANCE = `
select (select coalesce(sum(amount_nanos), 0) from ledger_legs where workspace_id = $1 and kind = 'earning') as total,
  (select coalesce(sum(amount_nanos), 0) from ledger_legs where account_id = 'payable_' || $1) as left`;
