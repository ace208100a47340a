import './runs.css';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import type { paths } from '../api/openapi.d.ts';
import { usePages } from '../api/hooks.ts';
import { AgentIcon } from '../agents/AgentIcon.tsx';
import { iconsOf, useAgents } from '../agents/useAgents.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { Ago, secondsText } from '../parts/figures.tsx';
import { FindById } from '../parts/FindById.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Total } from '../parts/totals.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { useTotals, type Totals } from '../parts/useTotals.ts';
import { timesOf } from '../usage/range.ts';
import { ReplayFailed } from './ReplayFailed.tsx';
import { RUN_STATUSES, RunStatus } from './RunStatus.tsx';
import type { Run } from './runEvents.ts';

const LIVE_MS = 2_000;
const TOTALS_MS = 30_000;

const FAULTS = [
  { value: 'platform', label: 'Platform' },
  { value: 'provider', label: 'Model provider' },
  { value: 'agent', label: 'Agent' },
  { value: 'caller', label: 'Caller' },
];
const SOURCES = [
  { value: 'api', label: 'API' },
  { value: 'chat', label: 'Chat' },
  { value: 'workstream', label: 'Workstream' },
  { value: 'schedule', label: 'Schedule' },
  { value: 'agent', label: 'Another agent' },
  { value: 'test', label: 'Test of a draft' },
];

type Sent = NonNullable<paths['/v1/runs']['get']['parameters']['query']>;

/** `team=support`; the value of a name alone is empty. */
function pairIn(text: string): Record<string, string> {
  const at = text.includes('=') ? text.indexOf('=') : text.length;
  return { [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
}

/** The same filters for a replay of failed runs. */
const replayOf = ({ status: _status, ...filters }: Sent) => filters;

export default function RunsPage() {
  const [{ agent, status, from, to, zone, source, fault, code, error, metadata }] = useSearchState();
  const days = { from, to };
  const times = zone === 'utc' ? days : timesOf(days);
  const query = {
    ...(agent && { agent }),
    ...(status && { status: status as Run['status'] }),
    ...(source && { source: source as Sent['source'] }),
    ...(fault && { fault: fault as Sent['fault'] }),
    ...(code && { error_code: code }),
    ...(error && { error }),
    ...(metadata && { metadata: pairIn(metadata) }),
    ...(times.from && { from: times.from }),
    ...(times.to && { to: times.to }),
  };
  const runs = usePages<Run>(
    ['runs', 'list', query],
    (cursor, signal) => api.GET('/v1/runs', { params: { query: { ...query, limit: 50, cursor } }, signal }),
    { liveMs: LIVE_MS },
  );
  const totals = useTotals({
    key: ['runs', 'totals', query],
    call: (signal) => api.GET('/v1/runs/totals', { params: { query }, signal }),
    from: runs,
    refetchInterval: TOTALS_MS,
    read: ({ count, cost_usd: usd }) => ({ count, usd: usd ?? undefined }),
    // With the cost so far of those that run.
    amountOf: ({ usage }) => usage.total_usd,
  });
  const icons = iconsOf(useAgents());
  const navigate = useNavigate();
  const isFiltered = Object.keys(query).length > 0;
  return (
    <>
      <PageHeader
        title="Runs"
        description="What agents did for this workspace, step by step, and what it cost."
        actions={
          <Button component={Link} variant="default" {...{ to: '/runs/flow' }}>
            Flow control
          </Button>
        }
      />
      <RunFilters>
        {status === 'failed' && <ReplayFailed order={replayOf(query)} />}
        <FindById
          label="Find a run by its ID"
          placeholder="Run ID"
          onFind={(id) => void navigate({ to: `/runs/${encodeURIComponent(id)}` })}
        />
      </RunFilters>
      <DataTable
        label="Runs"
        columns={columnsOf(totals, icons)}
        from={runs}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/runs/${id}`}
        empty={<NoRuns isFiltered={isFiltered} />}
      />
    </>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      drawing="run"
      title={isFiltered ? 'No matching runs' : 'No runs yet'}
      action={
        !isFiltered && (
          <Button component={Link} {...{ to: '/agents' }}>
            Browse agents
          </Button>
        )
      }
    >
      {isFiltered ? 'Widen the dates or clear a filter.' : 'Run an agent, and follow each step and its cost here.'}
    </EmptyState>
  );
}

/** Filters of the list, kept in the address. Agents: those of the catalogue. */
function RunFilters({ children }: { children?: ReactNode }) {
  const agents = useAgents();
  const filters: Filter[] = [
    { label: 'Status', names: ['status'], options: RUN_STATUSES },
    {
      label: 'Agent',
      names: ['agent'],
      options: agents?.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })) ?? [],
    },
    { label: 'Error code', names: ['code'], example: 'provider_failed' },
    { label: 'Error text', names: ['error'], example: 'A part of the message' },
    { label: 'Cause', names: ['fault'], options: FAULTS },
    { label: 'Source', names: ['source'], options: SOURCES },
    { label: 'Metadata', names: ['metadata'], example: 'team=support' },
    { label: 'Date', names: ['from', 'to'], isDays: true },
  ];
  return (
    <FilterBar filters={filters} saveAs="runs">
      {children}
    </FilterBar>
  );
}

const columnsOf = ({ count, isPart, usd }: Totals, icons: ReadonlyMap<string, string | null>): Column<Run>[] => [
  {
    title: 'Agent',
    cell: ({ agent, status, queue, created_at: at }) => (
      <span className="agent-cell">
        <AgentIcon id={agent} size={20} url={icons.get(agent) ?? null} />
        <span className="agent-cell-words">
          {agent}
          <span className="cell-sub agent-cell-id mantine-hidden-from-sm">
            <RunStatus status={status} queue={queue} /> · <Ago at={at} />
          </span>
        </span>
      </span>
    ),
    foot: <Total count={count} of="run" hasMore={isPart} />,
  },
  { title: 'Status', visibleFrom: 'sm', cell: ({ status, queue }) => <RunStatus status={status} queue={queue} /> },
  { title: 'Version', visibleFrom: 'md', cell: ({ version }) => <span className="nowrap">{version}</span> },
  { title: 'Started', visibleFrom: 'sm', cell: ({ created_at: at }) => <Ago at={at} /> },
  {
    title: 'Duration',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ duration_seconds: seconds }) => secondsText(seconds),
  },
  { title: 'Cost', usd: ({ usage }) => usage.total_usd, sum: usd },
];
