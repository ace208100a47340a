import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { countText, durationText } from '../parts/figures.tsx';

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
    title: 'State',
    cell: ({ is_healthy: isHealthy }) => (
      <span className={`status nowrap ${isHealthy ? 'text-good' : 'text-bad'}`}>
        {isHealthy ? 'Answers' : 'Does not answer'}
      </span>
    ),
  },
  { title: 'Requests, last hour', isNumber: true, cell: (row) => countText(row.requests_last_hour) },
  { title: 'Errors', isNumber: true, cell: (row) => countText(row.errors_last_hour) },
  { title: 'Refusals', isNumber: true, visibleFrom: 'sm', cell: (row) => countText(row.refusals_last_hour) },
  {
    title: 'First byte, median',
    isNumber: true,
    visibleFrom: 'sm',
    cell: (row) => durationText(row.first_byte_p50_ms),
  },
  { title: 'Models', visibleFrom: 'md', cell: ({ models }) => <span className="cell-wide">{models.join(', ')}</span> },
  {
    title: 'Last error',
    visibleFrom: 'md',
    cell: ({ last_error: error }) => error ?? '—',
  },
];
