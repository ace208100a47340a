import type { Queryable } from '../postgres/queryable.ts';

/** What one version of an agent brought in on one day (UTC). Amounts in nano-USD: callers paid gross, fee and earning are its parts. */
export interface StatementLine {
  date: string;
  agent: string;
  version: string;
  runs: number;
  grossNanos: bigint;
  networkFeeNanos: bigint;
  earnedNanos: bigint;
}

/**
 * A publisher's earnings of a month (`YYYY-MM`, UTC), as the ledger has them: the lines' earnings sum to the entries of the
 * publisher's account in that month. `balanceNanos` is all that was ever earned.
 */
export async function readStatement(
  pool: Queryable,
  { workspaceId, month }: { workspaceId: string; month: string },
): Promise<{ lines: StatementLine[]; balanceNanos: bigint }> {
  const { rows } = await pool.query(LINES, [workspaceId, `${month}-01`]);
  const { rows: balance } = await pool.query(BALANCE, [workspaceId]);
  return { lines: rows.map(lineOf), balanceNanos: BigInt(balance[0].total) };
}

function lineOf(row: Record<string, string> & { runs: number }): StatementLine {
  return {
    date: row.date!,
    agent: row.agent!,
    version: row.version!,
    runs: row.runs,
    grossNanos: BigInt(row.gross!),
    networkFeeNanos: BigInt(row.fee!),
    earnedNanos: BigInt(row.earned!),
  };
}

const LINES = `
select to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD') as date, r.agent, r.version, count(*)::int as runs,
  sum(r.total_nanos) as gross, sum(r.network_fee_nanos) as fee, sum(e.amount_nanos) as earned
from ledger_entries e join runs r on r.id = e.subject
where e.workspace_id = $1 and e.kind = 'earning' and e.created_at >= $2::date at time zone 'utc'
  and e.created_at < ($2::date + interval '1 month') at time zone 'utc'
group by 1, 2, 3 order by 1, 2, 3`;

const BALANCE = `
select coalesce(sum(amount_nanos), 0) as total from ledger_entries where workspace_id = $1 and kind = 'earning'`;
