import type { PayoutRow } from '../payouts.ts';
import type { Rows } from '../postgres/rows.ts';

/**
 * The result of one version of an agent on one day (UTC). Amounts in nano-USD: the callers' payments (gross) plus the platform's subsidy
 * equal the platform's cost plus the network fee plus the earning.
 */
export interface StatementLine {
  date: string;
  agent: string;
  version: string;
  runs: number;
  grossNanos: bigint;
  subsidyNanos: bigint;
  platformCostNanos: bigint;
  networkFeeNanos: bigint;
  earnedNanos: bigint;
}

/**
 * A publisher's earnings from the runs that settled in a month (`YYYY-MM`, UTC), from the ledger: the lines sum to the entries of those
 * runs in the publisher's account. `balanceNanos` is the total of all earnings to date, `availableNanos` what of them was not paid out.
 */
export async function readStatement(
  rows: Rows,
  month: string,
): Promise<{ lines: StatementLine[]; payouts: PayoutRow[]; balanceNanos: bigint; availableNanos: bigint }> {
  const { workspaceId } = rows;
  return rows.transaction(async ({ client, em, Payout, sql }) => {
    const lines = await client.query(LINES, [workspaceId, `${month}-01`]);
    const balance = await client.query(BALANCE, [workspaceId]);
    const { total, available } = balance.rows[0];
    const inMonth = sql`to_char(created_at at time zone 'utc', 'YYYY-MM') = ${month}`;
    const payouts = await em.find(Payout, { workspaceId, [inMonth]: [] }, { orderBy: { createdAt: 'asc', id: 'asc' } });
    return { lines: lines.rows.map(lineOf), payouts, balanceNanos: BigInt(total), availableNanos: BigInt(available) };
  });
}

function lineOf(row: Record<string, string> & { runs: number }): StatementLine {
  return {
    date: row.date!,
    agent: row.agent!,
    version: row.version!,
    runs: row.runs,
    grossNanos: BigInt(row.gross!),
    subsidyNanos: BigInt(row.subsidy!),
    platformCostNanos: BigInt(row.cost!),
    networkFeeNanos: BigInt(row.fee!),
    earnedNanos: BigInt(row.earned!),
  };
}

// Raw: runs of callers in other workspaces, summed with the entries of the ledger. A run without margin has no earning, but is listed.
const LINES = `
select to_char(r.settled_at at time zone 'utc', 'YYYY-MM-DD') as date, r.agent, r.version, count(*)::int as runs,
  sum(r.total_nanos) as gross, sum(r.subsidy_nanos) as subsidy, sum(r.platform_cost_nanos) as cost, sum(r.network_fee_nanos) as fee,
  coalesce(sum(e.amount_nanos), 0) as earned
from runs r left join ledger_entries e on e.kind = 'earning' and e.subject = r.id
where r.publisher_workspace_id = $1 and r.settled_at >= $2::date at time zone 'utc'
  and r.settled_at < ($2::date + interval '1 month') at time zone 'utc' and r.total_nanos + r.subsidy_nanos > 0
group by 1, 2, 3 order by 1, 2, 3`;

const BALANCE = `
select (select coalesce(sum(amount_nanos), 0) from ledger_entries where workspace_id = $1 and kind = 'earning') as total,
  (select coalesce(sum(amount_nanos), 0) from ledger_entries where account_id = 'payable_' || $1) as available`;
