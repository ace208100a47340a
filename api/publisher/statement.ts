import { z } from 'zod';
import { readStatement, type StatementLine } from '../../db/agents/statement.ts';
import { usdOf, usdTextOf } from '../../db/money.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { presentPayout } from './payouts.ts';
import type { Statement } from './publisherAnswers.ts';

export const StatementQuery = z.strictObject({
  month: z
    .string()
    .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM, from 2000-01 to 2999-12')
    .optional(),
  format: z.enum(['json', 'csv']).default('json'),
});

/** `GET /v1/publisher/statement`: what the workspace's agents earned in a month, by day, agent and version; as JSON or CSV. */
export function retrieveStatement({ db }: Services): Handler {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const { month = new Date().toISOString().slice(0, 7), format } = ctx.state.input as z.output<typeof StatementQuery>;
    const { lines, payouts, balanceNanos, availableNanos } = await readStatement(db.write(workspaceId), month);
    if (format === 'csv') {
      ctx.set('content-disposition', `attachment; filename="statement-${month}.csv"`);
      ctx.type = 'text/csv';
      ctx.body = csvOf(lines);
      return;
    }
    ctx.body = {
      object: 'publisher.statement',
      month,
      currency: 'USD',
      totals: presentSums(lines),
      balance_usd: usdOf(balanceNanos),
      available_usd: usdOf(availableNanos),
      payouts: payouts.map(presentPayout),
      data: lines.map((line) => ({
        date: line.date,
        agent: line.agent,
        version: line.version,
        ...presentSums([line]),
      })),
    } satisfies z.infer<typeof Statement.schema>;
  };
}

function presentSums(lines: StatementLine[]) {
  const sum = (amount: (line: StatementLine) => bigint) =>
    usdOf(lines.reduce((total, line) => total + amount(line), 0n));
  return {
    runs: lines.reduce((total, { runs }) => total + runs, 0),
    gross_usd: sum(({ grossNanos }) => grossNanos),
    subsidy_usd: sum(({ subsidyNanos }) => subsidyNanos),
    platform_cost_usd: sum(({ platformCostNanos }) => platformCostNanos),
    network_fee_usd: sum(({ networkFeeNanos }) => networkFeeNanos),
    earned_usd: sum(({ earnedNanos }) => earnedNanos),
  };
}

const CSV_AMOUNTS = ['grossNanos', 'subsidyNanos', 'platformCostNanos', 'networkFeeNanos', 'earnedNanos'] as const;
const CSV_HEADING = 'date,agent,version,runs,gross_usd,subsidy_usd,platform_cost_usd,network_fee_usd,earned_usd';

// Names and versions contain neither commas nor quotes.
function csvOf(lines: StatementLine[]): string {
  const rows = lines.map(({ date, agent, version, runs, ...amounts }) =>
    [date, agent, version, runs, ...CSV_AMOUNTS.map((name) => usdTextOf(amounts[name]))].join(','),
  );
  return [CSV_HEADING, ...rows, ''].join('\r\n');
}
