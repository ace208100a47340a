import { Title } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, secondsText } from '../parts/figures.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { RUN_STATUSES, isOver, RunStatus } from '../runs/RunStatus.tsx';
import { AgentRunView } from './AgentRunView.tsx';
import { callerText, FAULT_OPTIONS, type AgentMetrics, type AgentRun, type Fault } from './agentRuns.ts';
import { Sheet } from '../parts/Sheet.tsx';

interface Props {
  agentId: string;
  from: string | undefined;
  whose: AgentMetrics['whose'];
  versions: AgentMetrics['versions'];
}

const LIVE_MS = 10_000;

/** The runs of an agent, the last ended first; one of them opens at the side. */
export function AgentRunsList({ agentId, from, whose, versions }: Props) {
  const [search, set] = useSearchState();
  const { status, code, fault, version, caller, shared, run: openId } = search;
  const query = {
    from,
    whose,
    ...(status && { status: status as AgentRun['status'] }),
    ...(code && { error_code: code }),
    ...(fault && { fault: fault as Fault }),
    ...(version && { version_id: version }),
    ...(caller && { caller_id: caller }),
    ...(shared && { shared: shared as 'true' }),
  };
  const runs = usePages<AgentRun>(
    ['publisher', 'runs', agentId, query],
    (cursor, signal) =>
      api.GET('/v1/publisher/agents/{agent_id}/runs', {
        params: { path: { agent_id: agentId }, query: { ...query, limit: 50, cursor } },
        signal,
      }),
    { liveMs: LIVE_MS },
  );
  const isFiltered = Boolean(status ?? code ?? fault ?? version ?? caller ?? shared);
  return (
    <section aria-label="Runs of the agent">
      <Title order={2} mb="xs">
        Runs
      </Title>
      <FilterBar filters={filtersOf(versions, runs.rows ?? [])} />
      <DataTable
        label="Runs of the agent"
        columns={COLUMNS}
        from={runs}
        rowKey={({ id }) => id}
        noun="run"
        rowTo={({ id }) => `/publish/${agentId}?${new URLSearchParams({ ...keptOf(search), run: id })}`}
        empty={
          <EmptyState drawing="run" title={isFiltered ? 'No matching runs' : 'No runs in this period'}>
            {isFiltered
              ? 'Choose a longer period or clear a filter.'
              : 'Each ended run appears here with its version, time and cost. What callers sent stays with them.'}
          </EmptyState>
        }
      />
      <Sheet isOpen={openId !== undefined} onClose={() => set({ run: undefined })} size="xl" title="Run">
        {openId && <AgentRunView key={openId} agentId={agentId} runId={openId} />}
      </Sheet>
    </section>
  );
}

const keptOf = (search: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

function filtersOf(versions: AgentMetrics['versions'], runs: AgentRun[]): Filter[] {
  const codes = new Set(versions.flatMap(({ errors }) => errors.flatMap(({ error_code: code }) => code ?? [])));
  const callers = new Map(runs.filter(({ is_own: isOwn }) => !isOwn).map((run) => [run.caller_id, callerText(run)]));
  return [
    {
      label: 'Status',
      names: ['status'],
      options: RUN_STATUSES.filter(({ value }) => isOver(value as AgentRun['status'])),
    },
    {
      label: 'Error or limit',
      names: ['code'],
      options: [...codes]
        .toSorted((one, other) => one.localeCompare(other))
        .map((code) => ({ value: code, label: code })),
    },
    { label: 'Fault', names: ['fault'], options: FAULT_OPTIONS },
    {
      label: 'Version',
      names: ['version'],
      options: versions.map(({ version_id: id, version }) => ({ value: id, label: version })),
    },
    { label: 'Caller', names: ['caller'], options: [...callers].map(([value, label]) => ({ value, label })) },
    { label: 'Content', names: ['shared'], options: [{ value: 'true', label: 'Shared' }] },
  ];
}

const COLUMNS: Column<AgentRun>[] = [
  {
    title: 'Status',
    cell: ({ status, error_code: code }) => (
      <>
        <RunStatus status={status} />
        {code && <span className="cell-note">{code}</span>}
      </>
    ),
  },
  { title: 'Version', visibleFrom: 'sm', cell: ({ version }) => <span className="nowrap">{version}</span> },
  { title: 'Caller', visibleFrom: 'md', cell: (run) => <span className="nowrap">{callerText(run)}</span> },
  {
    title: 'Content',
    visibleFrom: 'lg',
    cell: ({ content_access: access }) => (access === 'shared' ? 'Shared' : access === 'own' ? 'Own' : '—'),
  },
  { title: 'Ended', cell: ({ ended_at: at }) => <Ago at={at} /> },
  {
    title: 'Duration',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ duration_seconds: seconds }) => secondsText(seconds),
  },
  { title: 'Paid', visibleFrom: 'md', usd: ({ total_usd: usd }) => usd },
  { title: 'Earned', usd: ({ earned_usd: usd }) => usd },
];
