import { Select, Stack, Text } from '@mantine/core';
import { api } from '../api/client.ts';
import type { components } from '../api/openapi.d.ts';
import { usePages } from '../api/hooks.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Ago } from '../parts/figures.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { RowLink } from '../parts/RowLink.tsx';
import { DEPLOYMENT_STATUSES, DeploymentStatus } from '../publish/reviewParts.tsx';

type Review = components['schemas']['ReviewPage']['data'][number];

/** Submissions by their state; those awaiting a decision first. */
export default function Reviews() {
  const [{ status = 'in_review' }, setSearch] = useSearchState();
  const chosen = status as Review['status'];
  const reviews = usePages<Review>(
    ['reviews', 'list', chosen],
    (cursor, signal) => api.GET('/console/v1/reviews', { params: { query: { status: chosen, cursor } }, signal }),
    { liveMs: 5_000 },
  );
  return (
    <Stack>
      <Select
        label="State"
        w={220}
        allowDeselect={false}
        data={DEPLOYMENT_STATUSES.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        value={chosen}
        onChange={(value) => setSearch({ status: value ?? '' })}
      />
      <DataTable
        label="Submissions"
        columns={COLUMNS}
        from={reviews}
        rowKey={({ id }) => id}
        empty={chosen === 'in_review' ? 'Nothing waits for a decision.' : 'None.'}
      />
    </Stack>
  );
}

const COLUMNS: Column<Review>[] = [
  {
    title: 'Agent',
    cell: ({ id, name, agent }) => (
      <>
        <RowLink to={`/operate/reviews/${id}`} className="row-link cell-name">
          {name || agent}
        </RowLink>
        <Text size="sm" c="dimmed" className="id">
          {agent}
        </Text>
      </>
    ),
  },
  { title: 'Publisher', visibleFrom: 'sm', cell: ({ publisher }) => publisher },
  { title: 'Version', isNumber: true, cell: (review) => review.version_number },
  { title: 'State', cell: ({ status }) => <DeploymentStatus status={status} /> },
  {
    title: 'Must change',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ review_feedback: feedback }) => feedback.filter(({ severity }) => severity === 'blocking').length,
  },
  { title: 'Submitted', cell: ({ created_at: at }) => <Ago at={at} /> },
];
