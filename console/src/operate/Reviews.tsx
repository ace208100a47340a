import { AgentCell } from '../agents/AgentIcon.tsx';
import { api } from '../api/client.ts';
import type { components } from '../api/openapi.d.ts';
import { usePages } from '../api/hooks.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { Ago } from '../parts/figures.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { DEPLOYMENT_STATUSES, DeploymentStatus } from '../publish/reviewParts.tsx';

type Review = components['schemas']['ReviewPage']['data'][number];

const FILTERS: Filter[] = [{ label: 'Status', names: ['status'], options: DEPLOYMENT_STATUSES }];

/** Submissions by their state; those awaiting a decision first. */
export default function Reviews() {
  const [{ status }] = useSearchState();
  const chosen = (status ?? 'in_review') as Review['status'];
  const reviews = usePages<Review>(
    ['reviews', 'list', chosen],
    (cursor, signal) => api.GET('/console/v1/reviews', { params: { query: { status: chosen, cursor } }, signal }),
    { liveMs: 5_000 },
  );
  return (
    <>
      <FilterBar filters={FILTERS} />
      <DataTable
        label="Submissions"
        isStacked
        columns={COLUMNS}
        from={reviews}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/operate/reviews/${id}`}
        empty={
          <EmptyState drawing="signal" title={chosen === 'in_review' ? 'Nothing waits for a decision' : 'None'}>
            {chosen === 'in_review'
              ? 'Submissions appear here as soon as a publisher sends them.'
              : 'No submission has this status.'}
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: Column<Review>[] = [
  { title: 'Agent', cell: ({ name, agent }) => <AgentCell id={agent} name={name || agent} /> },
  { title: 'Publisher', visibleFrom: 'sm', cell: ({ publisher }) => publisher },
  { title: 'Version', cell: ({ version }) => version },
  { title: 'Status', cell: ({ status }) => <DeploymentStatus status={status} /> },
  {
    title: 'Blocking',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ review_feedback: feedback }) => feedback.filter(({ severity }) => severity === 'blocking').length,
  },
  { title: 'Submitted', cell: ({ created_at: at }) => <Ago at={at} /> },
];
