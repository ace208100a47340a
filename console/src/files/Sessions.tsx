import { Button } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { Status } from '../parts/Status.tsx';

type Session = components['schemas']['Session'];

/** The sessions, the last changed first. */
export function Sessions({ onCreate }: { onCreate: () => void }) {
  const sessions = usePages<Session>(['sessions'], (cursor, signal) =>
    api.GET('/v1/sessions', { params: { query: { limit: 50, cursor } }, signal }),
  );
  return (
    <DataTable
      label="Sessions"
      columns={COLUMNS}
      from={sessions}
      rowKey={({ id }) => id}
      noun="session"
      rowTo={({ id }) => `/sessions/${id}`}
      empty={
        <EmptyState drawing="files" title="No sessions yet" action={<Button onClick={onCreate}>New session</Button>}>
          A session keeps a conversation and its files for several runs. A run without one opens its own.
        </EmptyState>
      }
    />
  );
}

const COLUMNS: Column<Session>[] = [
  {
    title: 'Session',
    cell: ({ id, title }) => (
      <span className={title ? 'file-cell' : 'file-cell id'} title={title || id}>
        {title || id}
      </span>
    ),
  },
  { title: 'Status', cell: ({ status }) => <SessionStatus of={status} /> },
  { title: 'Updated', cell: ({ updated_at: at }) => <Ago at={at} /> },
  { title: 'Created', visibleFrom: 'sm', cell: ({ created_at: at }) => <Ago at={at} /> },
];

export function SessionStatus({ of: status }: { of: Session['status'] }) {
  return status === 'busy' ? <Status tone="busy" word="Running" /> : <Status tone="quiet" word="Idle" />;
}
