import '../parts/work.css';
import { Button, Text } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { countText, DateTime } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { RowLink } from '../parts/RowLink.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { doneOf, stateOf, timeOf, type Batch } from './batchStates.ts';
import { CreateBatch } from './CreateBatch.tsx';

const LIVE_MS = 2_000;

export default function BatchesPage() {
  const mayWrite = useMe().scopes.includes('batch');
  const [{ create }, setSearch] = useSearchState();
  const batches = usePages<Batch>(
    ['batches', 'list'],
    async (cursor, signal) => {
      const query = { limit: 50, ...(cursor !== undefined && { after: cursor }) };
      const { data, ...answer } = await api.GET('/v1/batches', { params: { query }, signal });
      return { ...answer, data: data && { ...data, next_cursor: data.has_more ? data.last_id : null } };
    },
    { liveMs: LIVE_MS },
  );
  return (
    <>
      <PageHeader
        title="Batches"
        description="Files of calls that run within a day, at the batch price of their models."
        actions={mayWrite && <Button onClick={() => setSearch({ create: '1' })}>Create a batch</Button>}
      />
      <DataTable
        label="Batches"
        isStacked
        columns={COLUMNS}
        from={batches}
        rowKey={({ id }) => id}
        empty={
          <>
            <Text fw={600}>No batches yet</Text>
            <Text c="dimmed" size="sm">
              A batch runs a file with one call on each line.
            </Text>
          </>
        }
      />
      {mayWrite && <CreateBatch isOpen={create !== undefined} onClose={() => setSearch({ create: undefined })} />}
    </>
  );
}

const COLUMNS: Column<Batch>[] = [
  {
    title: 'Time',
    cell: ({ id, created_at: at }) => (
      <RowLink to={`/batches/${id}`}>
        <DateTime at={timeOf(at)} />
      </RowLink>
    ),
  },
  {
    title: 'State',
    cell: (batch) => {
      const [words, look] = stateOf(batch);
      return <span className={`status ${look}`}>{words}</span>;
    },
  },
  { title: 'Endpoint', visibleFrom: 'md', cell: ({ endpoint }) => <span className="id">{endpoint}</span> },
  {
    title: 'Calls',
    isNumber: true,
    cell: (batch) => `${countText(doneOf(batch).done)} of ${countText(batch.request_counts.total)}`,
  },
  {
    title: 'Failed',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ request_counts: { failed } }) => (
      <span className={failed > 0 ? 'text-bad' : undefined}>{countText(failed)}</span>
    ),
  },
  { title: 'Cost', isNumber: true, cell: ({ usage }) => <Money usd={usage.cost} /> },
];
