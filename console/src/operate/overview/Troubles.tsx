import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/hooks.ts';
import type { components } from '../../api/openapi.d.ts';
import { DataTable, TableFailure, type Column } from '../../parts/DataTable.tsx';
import { Ago, Count } from '../../parts/figures.tsx';
import { Money } from '../../parts/Money.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { shareText } from '../../parts/chart/series.ts';
import { Status, type Tone } from '../../parts/Status.tsx';
import type { TableProps } from '../../parts/table.ts';
import { useSearchState } from '../../parts/useSearchState.ts';
import { Segments } from '../../usage/Segments.tsx';
import { OfWorkspace } from './OfWorkspace.tsx';
import { countOf } from '../../parts/totals.tsx';

type Answer = components['schemas']['WorkspaceTroubles'];
type Failing = Answer['failing'][number];
type Low = Answer['low'][number];
type WrittenOff = Answer['written_off'][number];
type Absorbed = Answer['absorbed'][number];

const LIVE_MS = 10_000;
const SPANS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
];

/** Workspaces that somebody should look at: calls that fail, credit that ends, cost that nobody paid. */
export function Troubles() {
  const [{ hours = '24' }, setSearch] = useSearchState();
  const troubles = useAnswer(
    ['troubles', hours],
    (signal) => api.GET('/console/v1/platform/workspaces', { params: { query: { hours: Number(hours) } }, signal }),
    { refetchInterval: LIVE_MS, placeholderData: keepPreviousData },
  );
  const { data, error } = troubles;
  if (error && !data) return <TableFailure error={error} retry={() => void troubles.refetch()} />;
  return (
    <div className="overview-pair">
      <div className="overview-column">
        <Panel
          title="Failing workspaces"
          description="5xx failed here or at an upstream; 4xx were refused."
          actions={
            <Segments
              label="Calls of"
              options={SPANS}
              value={hours}
              onChange={(value) => setSearch({ hours: value === '24' ? undefined : value })}
            />
          }
        >
          <TroubleTable
            label="Failing workspaces"
            columns={FAILING}
            rows={data?.failing}
            empty="No call failed or was refused."
          />
        </Panel>
        <Panel title="Write-offs, 30 days" description="Cost of calls beyond what was held for them.">
          <TroubleTable
            label="Write-offs"
            columns={WRITTEN_OFF}
            rows={data?.written_off}
            empty="Nothing was written off."
          />
        </Panel>
      </div>
      <div className="overview-column">
        <Panel title="Low balances" description="Of workspaces in use, and those below zero.">
          <TroubleTable label="Low balances" columns={LOW} rows={data?.low} empty="No balance is low." />
        </Panel>
        <Panel title="Failed runs, 30 days" description="What they consumed, which nobody is billed.">
          <TroubleTable
            label="Failed runs"
            columns={ABSORBED}
            rows={data?.absorbed}
            empty="No failed run consumed anything."
          />
        </Panel>
      </div>
    </div>
  );
}

interface TroubleTableProps<Row extends object> extends Pick<TableProps<Row>, 'label' | 'columns' | 'empty'> {
  rows: Row[] | undefined;
}

/** One row for each workspace; it loads until there are rows. */
function TroubleTable<Row extends { workspace_id: string }>({ rows, ...table }: TroubleTableProps<Row>) {
  const from = { rows, error: null, isLoading: rows === undefined };
  return <DataTable<Row> {...table} from={from} rowKey={({ workspace_id: id }) => id} />;
}

const OF = { title: 'Workspace', cell: OfRow };

function OfRow({ workspace_id: id, name }: { workspace_id: string; name: string }) {
  return <OfWorkspace id={id} name={name} />;
}

const FAILING: Column<Failing>[] = [
  OF,
  {
    title: '5xx',
    isNumber: true,
    cell: ({ failed }) => (
      <span className={failed > 0 ? 'text-bad' : undefined}>
        <Count value={failed} />
      </span>
    ),
  },
  { title: '4xx', isNumber: true, cell: ({ refused }) => <Count value={refused} /> },
  {
    title: 'Of calls',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ failed, refused, calls }) => (
      <span className="number" title={countOf(calls, 'call')}>
        {shareText(failed + refused, calls)}
      </span>
    ),
  },
  { title: 'Most often', visibleFrom: 'sm', cell: ({ code }) => <span className="id">{code ?? '—'}</span> },
];

const LEVELS: Record<Low['level'], { tone: Tone; word: string }> = {
  overdrawn: { tone: 'bad', word: 'Overdrawn' },
  depleted: { tone: 'bad', word: 'Empty' },
  low: { tone: 'held', word: 'Low' },
};

const LOW: Column<Low>[] = [
  OF,
  { title: 'Balance', isNumber: true, cell: ({ balance_usd: usd }) => <Money usd={usd} isRounded /> },
  { title: 'State', cell: ({ level }) => <Status {...LEVELS[level]} /> },
  { title: 'Last used', visibleFrom: 'sm', cell: ({ last_used_at: at }) => <Ago at={at} /> },
];

const WRITTEN_OFF: Column<WrittenOff>[] = [
  OF,
  { title: 'Calls', isNumber: true, cell: ({ calls }) => <Count value={calls} /> },
  { title: 'Written off', usd: ({ written_off_usd: usd }) => usd },
];

const ABSORBED: Column<Absorbed>[] = [
  OF,
  { title: 'Runs', isNumber: true, cell: ({ runs }) => <Count value={runs} /> },
  { title: 'Most of it', visibleFrom: 'sm', cell: ({ code }) => <span className="id">{code}</span> },
  { title: 'Consumed', usd: ({ absorbed_usd: usd }) => usd },
];
