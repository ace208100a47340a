import { Command } from 'commander';
import type { Schemas } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { usd } from '../format.ts';
import { printResult, withExamples } from '../output.ts';
import { parseMonth } from '../publishing/arguments.ts';
import { listOf, tableOf } from '../terminal/table.ts';

type Statement = Schemas['PublisherStatement'];
type Line = Pick<Statement['data'][number], 'agent' | 'version' | 'runs' | 'gross_usd' | 'earned_usd'>;

export const earnings = withExamples(
  new Command('earnings')
    .description('what the agents of the workspace earned in a month, and what may be paid out')
    .option('--month <yyyy-mm>', 'this month when left out', parseMonth)
    .action(async ({ month }: { month?: string }, self: Command) => {
      const { api } = await clientOf(self);
      const { data } = await api.GET('/v1/publisher/statement', { params: { query: { ...(month && { month }) } } });
      printResult(self, data, textOf);
    }),
  [['ledgerline earnings --month 2026-10'], ['ledgerline earnings --json | jq .available_usd']],
);

function textOf(statement: Statement): string {
  const { month, totals, opening_usd: opening, paid_out_usd: paid, closing_usd: closing } = statement;
  const sums = listOf([
    ['Month', month],
    ['Earned', `${usd(totals.earned_usd)} from ${totals.runs} runs, for which callers paid ${usd(totals.gross_usd)}`],
    ['Owed', `${usd(opening)} before, ${usd(paid)} paid out, ${usd(closing)} after`],
    ['Can be paid out', `${usd(statement.available_usd)}; ${usd(statement.maturing_usd)} has to wait`],
  ]);
  return statement.data.length === 0 ? sums : `${tableOf<Line>(COLUMNS, byVersion(statement.data))}\n\n${sums}`;
}

const COLUMNS = [
  { title: 'agent', text: ({ agent }: Line) => agent, shrinks: true },
  { title: 'version', text: ({ version }: Line) => version },
  { title: 'runs', text: ({ runs }: Line) => runs, align: 'right' as const },
  { title: 'callers paid', text: ({ gross_usd: gross }: Line) => usd(gross), align: 'right' as const },
  { title: 'earned', text: ({ earned_usd: earned }: Line) => usd(earned), align: 'right' as const },
];

/** The days of each version together. */
function byVersion(days: Statement['data']): Line[] {
  const lines = new Map<string, Line>();
  for (const { agent, version, runs, gross_usd: gross, earned_usd: earned } of days) {
    const line = lines.get(`${agent}@${version}`) ?? { agent, version, runs: 0, gross_usd: 0, earned_usd: 0 };
    lines.set(`${agent}@${version}`, {
      ...line,
      runs: line.runs + runs,
      gross_usd: line.gross_usd + gross,
      earned_usd: line.earned_usd + earned,
    });
  }
  return [...lines.values()];
}
