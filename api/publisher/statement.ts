import type { z } from 'zod';
import { readStatement, sumOf, type PublisherStatement, type StatementLine } from '../../db/publishing/statement.ts';
import { usdOf, wholeCentsOf } from '../../db/money.ts';
import type { Handler } from '../context.ts';
import { csvTextOf } from '../http/csvList.ts';
import { monthOf } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import { presentPayout } from './payouts.ts';
import type { Statement } from './publisherAnswers.ts';
import type { StatementQuery } from './publisherSchema.ts';

/**
 * `GET /v1/publisher/statement`: a month's earnings of the workspace's agents, by day, agent and version, the payouts, and the amount owed;
 * as JSON or CSV.
 */
export function retrieveStatement({ db, config }: Services): Handler<z.output<typeof StatementQuery>> {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const { month = monthOf(ctx), format } = ctx.state.input;
    const matureDays = config.earningsMatureDays;
    const statement = await readStatement(db.write(workspaceId), month, { matureDays });
    const { lines, paidOut, payouts } = statement;
    if (format === 'csv') {
      ctx.set('content-disposition', `attachment; filename="statement-${month}.csv"`);
      ctx.type = 'text/csv';
      ctx.body = await csvOf(month, statement);
      return;
    }
    ctx.body = {
      object: 'publisher.statement',
      month,
      currency: 'USD',
      totals: presentSums(lines),
      own: presentSums(lines.filter(({ isOwn }) => isOwn)),
      opening_usd: usdOf(statement.openingNanos),
      paid_out_usd: usdOf(sumOf(paidOut, 'amountNanos')),
      closing_usd: usdOf(statement.closingNanos),
      balance_usd: usdOf(statement.balanceNanos),
      available_usd: usdOf(statement.payable.toBalanceNanos),
      transferable_usd: usdOf(wholeCentsOf(statement.payable.asTransferNanos)),
      maturing_usd: usdOf(statement.maturingNanos),
      maturing_on: statement.maturingOn.map(({ date, amountNanos }) => ({ date, amount_usd: usdOf(amountNanos) })),
      requested_usd: usdOf(statement.requestedNanos),
      mature_days: matureDays,
      paid_out: paidOut.map(({ date, payoutId, destination, reference, amountNanos }) => ({
        date,
        payout_id: payoutId,
        to: destination,
        reference,
        amount_usd: usdOf(amountNanos),
      })),
      payouts: payouts.map(presentPayout),
      data: lines.map((line) => ({
        date: line.date,
        agent: line.agent,
        version: line.version,
        is_own: line.isOwn,
        callers: line.callers,
        ...presentSums([line]),
      })),
    } satisfies z.infer<typeof Statement.schema>;
  };
}

function presentSums(lines: StatementLine[]) {
  return {
    runs: lines.reduce((total, { runs }) => total + runs, 0),
    gross_usd: usdOf(sumOf(lines, 'grossNanos')),
    subsidy_usd: usdOf(sumOf(lines, 'subsidyNanos')),
    platform_cost_usd: usdOf(sumOf(lines, 'platformCostNanos')),
    network_fee_usd: usdOf(sumOf(lines, 'networkFeeNanos')),
    earned_usd: usdOf(sumOf(lines, 'earnedNanos')),
  };
}

const EARNINGS = ['grossNanos', 'subsidyNanos', 'platformCostNanos', 'networkFeeNanos', 'earnedNanos'] as const;

const CSV_HEADING =
  'date,agent,version,runs,gross_usd,subsidy_usd,platform_cost_usd,network_fee_usd,earned_usd,payout_id,to,reference,paid_out_usd,owed_usd,own'.split(
    ',',
  );

/** A row for the opening amount owed, then one per line and payout by day, each with the amount owed afterwards. */
function csvOf(month: string, { openingNanos, lines, paidOut }: PublisherStatement): Promise<string> {
  const nothing = EARNINGS.map(() => 0n);
  const rows = [
    { date: `${month}-01`, cells: ['', '', 0, ...nothing, '', '', '', 0n], changeNanos: openingNanos, own: '' },
    ...lines.map(({ date, agent, version, isOwn, runs, ...amounts }) => ({
      date,
      cells: [agent, version, runs, ...EARNINGS.map((name) => amounts[name]), '', '', '', 0n],
      changeNanos: amounts.earnedNanos,
      own: isOwn ? 'own' : '',
    })),
    ...paidOut.map(({ date, payoutId, destination, reference, amountNanos }) => ({
      date,
      cells: ['', '', 0, ...nothing, payoutId, destination, reference ?? '', amountNanos],
      changeNanos: -amountNanos,
      own: '',
    })),
  ].toSorted((one, other) => one.date.localeCompare(other.date));
  let owedNanos = 0n;
  const withOwed = rows.map(({ date, cells, changeNanos, own }) => {
    owedNanos += changeNanos;
    return [date, ...cells, owedNanos, own];
  });
  return csvTextOf([CSV_HEADING, ...withOwed]);
}
