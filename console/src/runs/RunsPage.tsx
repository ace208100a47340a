import { Group, Select, TextInput } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime, durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { RowLink } from '../parts/RowLink.tsx';
import { RUN_STATUSES, RunStatus } from './RunStatus.tsx';
import type { Run } from './runEvents.ts';

const LIVE_MS = 2_000;

export default function RunsPage() {
  const [{ agent, status }, setSearch] = useSearchState();
  const query = { ...(isAgent(agent) && { agent }), ...(status && { status: status as Run['status'] }) };
  const runs = usePages<Run>(
    ['runs', 'list', query],
    (cursor, signal) => api.GET('/v1/runs', { params: { query: { ...query, limit: 50, cursor } }, signal }),
    { liveMs: LIVE_MS },
  );
  return (
    <>
      <PageHeader title="Runs" description="What agents do for this workspace, newest first." />
      <Group mb="md" align="flex-end">
        <TextInput
          label="Agent"
          placeholder="namespace/name"
          value={agent ?? ''}
          onChange={(event) => setSearch({ agent: event.currentTarget.value })}
        />
        <Select
          label="Status"
          placeholder="All"
          clearable
          data={RUN_STATUSES.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          value={status ?? null}
          onChange={(value) => setSearch({ status: value ?? '' })}
          clearButtonProps={{ 'aria-label': 'Show every status' }}
        />
      </Group>
      <DataTable
        isStacked
        label="Runs"
        columns={COLUMNS}
        from={runs}
        rowKey={({ id }) => id}
        empty="No runs here yet."
      />
    </>
  );
}

// An incomplete name is not a filter yet.
const isAgent = (text: string | undefined) => text !== undefined && /^[a-z0-9-]+\/[a-z0-9-]+$/.test(text);

const COLUMNS: Column<Run>[] = [
  {
    title: 'Time',
    cell: ({ id, created_at: at }) => (
      <RowLink to={`/runs/${id}`}>
        <DateTime at={at} />
      </RowLink>
    ),
  },
  { title: 'Status', cell: ({ status }) => <RunStatus status={status} /> },
  { title: 'Agent', cell: ({ agent }) => <span className="nowrap">{agent}</span> },
  {
    title: 'Took',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ duration_seconds: seconds }) => durationText(seconds === null ? null : seconds * 1000),
  },
  { title: 'Cost', isNumber: true, cell: ({ usage }) => <Money usd={usage.total_usd} /> },
];
