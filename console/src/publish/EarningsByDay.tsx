import { DataTable, type Column } from '../parts/DataTable.tsx';
import { countText } from '../parts/figures.tsx';
import type { EarningsStatement } from './earned.ts';

type Line = EarningsStatement['data'][number];

/** The lines of a month's statement: a day, an agent and a version each, the newest first. */
export function EarningsByDay({
  statement,
  error,
  isLoading,
}: {
  statement: EarningsStatement | undefined;
  error: Error | null;
  isLoading: boolean;
}) {
  return (
    <DataTable<Line>
      label="Earnings by day"
      columns={columnsOf(statement?.totals)}
      from={{ rows: statement?.data.toReversed(), error, isLoading }}
      rowKey={({ date, agent, version, is_own: isOwn }) => `${date} ${agent} ${version} ${isOwn}`}
      empty="No runs in this month."
    />
  );
}

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

const columnsOf = (totals: EarningsStatement['totals'] | undefined): Column<Line>[] => [
  {
    title: 'Day (UTC)',
    cell: ({ date }) => <span className="number">{day.format(new Date(date))}</span>,
    foot: 'Total',
  },
  {
    title: 'Agent',
    cell: ({ agent, is_own: isOwn }) => (
      <span className="cell-cut" title={agent}>
        {agent.split('/')[1]}
        {isOwn && <span className="cell-note">Own runs</span>}
      </span>
    ),
  },
  { title: 'Version', visibleFrom: 'sm', cell: ({ version }) => version },
  { title: 'Runs', isNumber: true, cell: ({ runs }) => countText(runs), foot: totals && countText(totals.runs) },
  { title: 'Callers', visibleFrom: 'sm', isNumber: true, cell: ({ callers }) => countText(callers) },
  { title: 'Paid by callers', visibleFrom: 'sm', usd: ({ gross_usd: usd }) => usd, sum: totals?.gross_usd },
  { title: 'Earned', usd: ({ earned_usd: usd }) => usd, sum: totals?.earned_usd },
];
