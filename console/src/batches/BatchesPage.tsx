import './batches.css';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { useTextModel } from '../api/models.ts';
import { Code } from '../parts/CodeSnippets.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, countText } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Status } from '../parts/Status.tsx';
import { sumText } from '../parts/nanos.ts';
import { useDroppedFile } from '../parts/useDroppedFile.ts';
import { useSearchState } from '../parts/useSearchState.ts';
import { BatchMeter } from './BatchMeter.tsx';
import { doneOf, stateOf, timeOf, type Batch } from './batchStates.ts';
import { CreateBatch, exampleLine } from './CreateBatch.tsx';

const LIVE_MS = 2_000;

export default function BatchesPage() {
  const mayWrite = useMe().scopes.includes('batch');
  const model = useTextModel();
  const [{ create }, setSearch] = useSearchState();
  const [file, setFile] = useState<File | null>(null);
  const batches = usePages<Batch>(
    ['batches', 'list'],
    async (cursor, signal) => {
      const query = { limit: 50, ...(cursor !== undefined && { after: cursor }) };
      const { data, ...answer } = await api.GET('/v1/batches', { params: { query }, signal });
      return { ...answer, data: data && { ...data, next_cursor: data.has_more ? data.last_id : null } };
    },
    { liveMs: LIVE_MS },
  );
  const open = () => setSearch({ create: '1' });
  const close = () => {
    setSearch({ create: undefined });
    setFile(null);
  };
  const drop = useCallback(
    (dropped: File) => {
      setFile(dropped);
      setSearch({ create: '1' });
    },
    [setSearch],
  );
  const isOver = useDroppedFile(mayWrite, drop);
  return (
    <>
      <PageHeader
        title="Batches"
        description="Files of calls, done within 24 hours at the batch prices of their models."
        actions={mayWrite && <Button onClick={open}>Create batch</Button>}
      />
      <DataTable
        label="Batches"
        columns={columnsWith(batches.rows)}
        from={batches}
        rowKey={({ id }) => id}
        noun="batch"
        rowTo={({ id }) => `/batches/${id}`}
        empty={
          <EmptyState
            drawing="files"
            title="No batches yet"
            action={mayWrite && <Button onClick={open}>Create batch</Button>}
            snippet={<Code code={exampleLine(model)} label="Example line" />}
          >
            A batch runs a JSONL file with one call per line, for less than single calls cost.
          </EmptyState>
        }
      />
      {isOver && create === undefined && <div className="batch-drop">Drop a JSONL file to create a batch</div>}
      {mayWrite && <CreateBatch isOpen={create !== undefined} file={file} onFile={setFile} onClose={close} />}
    </>
  );
}

function columnsWith(rows: Batch[] | undefined): Column<Batch>[] {
  return [
    {
      title: 'Created',
      cell: ({ created_at: at }) => <Ago at={timeOf(at)} />,
    },
    { title: 'Status', cell: (batch) => <Status {...stateOf(batch)} /> },
    { title: 'Endpoint', visibleFrom: 'md', cell: ({ endpoint }) => <span className="id">{endpoint}</span> },
    {
      title: 'Progress',
      visibleFrom: 'sm',
      cell: (batch) => (
        <span className="nowrap number">
          {batch.request_counts.total === 0 ? (
            '—'
          ) : (
            <>
              <BatchMeter of={batch} /> {countText(doneOf(batch).done)} of {countText(batch.request_counts.total)}
            </>
          )}
        </span>
      ),
    },
    {
      title: 'Failed',
      isNumber: true,
      visibleFrom: 'sm',
      cell: ({ request_counts: { failed } }) => (
        <span className={failed > 0 ? 'text-bad' : undefined}>{countText(failed)}</span>
      ),
    },
    { title: 'Cost', usd: ({ usage }) => usage.cost, sum: rows && sumText(rows.map(({ usage }) => usage.cost)) },
  ];
}
