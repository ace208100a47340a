import { shareText } from '../agents/quality.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { countText } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { RunStatus } from '../runs/RunStatus.tsx';
import { FAULTS, type AgentMetrics } from './agentRuns.ts';

type Ending = AgentMetrics['totals']['errors'][number];

/** Why runs did not complete, the most frequent reason first; each leads to its runs. */
export function Endings({ agentId, metrics }: { agentId: string; metrics: AgentMetrics | undefined }) {
  const [{ days, whose }] = useSearchState();
  const errors = metrics?.totals.errors;
  if (!errors || errors.length === 0) return null;
  const kept = { tab: 'runs', ...(days && { days }), ...(whose && { whose }) };
  return (
    <Panel title="Errors and limits" description="Why runs did not complete.">
      <DataTable<Ending>
        label="Errors and limits"
        columns={columnsOf(metrics.totals.runs)}
        from={{ rows: errors, isLoading: false, error: null }}
        rowKey={({ status, error_code: code, fault }) => `${status} ${code} ${fault}`}
        rowTo={({ status, error_code: code }) =>
          `/publish/${agentId}?${new URLSearchParams({ ...kept, status, ...(code && { code }) })}`
        }
        empty=""
      />
    </Panel>
  );
}

const columnsOf = (runs: number): Column<Ending>[] => [
  { title: 'Reason', cell: ({ error_code: code, status }) => <span className="id">{code ?? status}</span> },
  { title: 'Status', visibleFrom: 'sm', cell: ({ status }) => <RunStatus status={status} /> },
  { title: 'Fault', cell: ({ fault }) => (fault ? FAULTS[fault] : '—') },
  { title: 'Runs', isNumber: true, cell: (ending) => countText(ending.runs) },
  { title: 'Of all', isNumber: true, visibleFrom: 'sm', cell: (ending) => shareText(ending.runs / runs) },
];
