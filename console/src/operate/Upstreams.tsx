import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { countText, durationText } from '../parts/figures.tsx';
import { Status } from '../parts/Status.tsx';

type Upstream = components['schemas']['UpstreamList']['data'][number];

const LIVE_MS = 5_000;

/** The performance of each upstream of the catalogue in the last hour. */
export default function Upstreams() {
  const upstreams = useAnswer(['upstreams'], (signal) => api.GET('/console/v1/upstreams', { signal }), {
    refetchInterval: LIVE_MS,
  });
  return (
    <DataTable
      label="Upstreams"
      isStacked
      columns={COLUMNS}
      from={{
        rows: upstreams.data?.data,
        error: upstreams.error,
        isLoading: upstreams.isLoading,
        retry: () => void upstreams.refetch(),
      }}
      rowKey={({ id }) => id}
      empty="The catalogue has no upstream."
    />
  );
}

const COLUMNS: Column<Upstream>[] = [
  { title: 'Upstream', cell: ({ id }) => <b className="nowrap">{id}</b> },
  {
    title: 'Status',
    cell: ({ is_healthy: isHealthy }) => (
      <Status tone={isHealthy ? 'good' : 'bad'} word={isHealthy ? 'Healthy' : 'Down'} />
    ),
  },
  { title: 'Requests, last hour', isNumber: true, cell: (row) => countText(row.requests_last_hour) },
  { title: 'Errors', isNumber: true, cell: (row) => countText(row.errors_last_hour) },
  { title: 'Refusals', isNumber: true, visibleFrom: 'sm', cell: (row) => countText(row.refusals_last_hour) },
  {
    title: 'Time to first byte, p50',
    isNumber: true,
    visibleFrom: 'sm',
    cell: (row) => durationText(row.first_byte_p50_ms),
  },
  {
    title: 'Models',
    visibleFrom: 'md',
    cell: ({ models }) => (
      <span className="cell-cut" title={models.join(', ')}>
        {models.join(', ')}
      </span>
    ),
  },
  {
    title: 'Last error',
    visibleFrom: 'md',
    cell: ({ last_error: error }) =>
      error ? (
        <span className="cell-cut" title={error}>
          {error}
        </span>
      ) : (
        '—'
      ),
  },
];
