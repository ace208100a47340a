import { shareText } from '../agents/quality.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { countText, secondsText } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import type { AgentMetrics } from './agentRuns.ts';

type Version = AgentMetrics['versions'][number];

/** The versions of an agent side by side. */
export function VersionsCompared({
  metrics,
  isLoading,
  error,
}: {
  metrics: AgentMetrics | undefined;
  isLoading: boolean;
  error: Error | null;
}) {
  return (
    <Panel title="Versions" description="Side by side, in the chosen period.">
      <DataTable<Version>
        label="Versions compared"
        columns={columnsOf(metrics?.versions ?? [])}
        from={{ rows: metrics?.versions, isLoading, error }}
        rowKey={({ version_id: id }) => id}
        empty="No version has ended a run in this period."
      />
    </Panel>
  );
}

const columnsOf = (versions: Version[]): Column<Version>[] => [
  { title: 'Version', cell: ({ version }) => <span className="nowrap">{version}</span> },
  { title: 'Runs', isNumber: true, cell: ({ runs }) => countText(runs) },
  {
    title: 'Success',
    isNumber: true,
    cell: ({ success_rate: rate }) => marked(shareText(rate), isWorst(versions, rate)),
  },
  { title: 'Failed', isNumber: true, visibleFrom: 'sm', cell: ({ failed }) => countText(failed) },
  {
    title: 'Most frequent error',
    visibleFrom: 'md',
    cell: ({ errors: [first] }) =>
      first ? (
        <span className="nowrap">
          <span className="id">{first.error_code ?? first.status}</span>{' '}
          <span className="number">{countText(first.runs)}</span>
        </span>
      ) : (
        '—'
      ),
  },
  { title: 'p50', isNumber: true, visibleFrom: 'sm', cell: ({ p50_seconds: seconds }) => secondsText(seconds) },
  { title: 'p95', isNumber: true, visibleFrom: 'sm', cell: ({ p95_seconds: seconds }) => secondsText(seconds) },
  { title: 'Cost of a run', visibleFrom: 'sm', usd: ({ mean_cost_usd: usd }) => usd },
  { title: 'Refunded', isNumber: true, visibleFrom: 'lg', cell: ({ refunded_runs: runs }) => countText(runs) },
  { title: 'Earned', visibleFrom: 'lg', usd: ({ earned_usd: usd }) => usd },
];

/** Whether this is the lowest rate of several. */
const isWorst = (versions: Version[], rate: number | null): boolean => {
  const rates = versions.flatMap(({ success_rate: one }) => one ?? []);
  return rate !== null && rates.length > 1 && rate < Math.max(...rates) && rate === Math.min(...rates);
};

const marked = (text: string, isBad: boolean) => <span className={isBad ? 'number text-bad' : 'number'}>{text}</span>;
