import { Button, Group, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { timesOf } from '../usage/range.ts';
import { RequestFilters } from './RequestFilters.tsx';
import { REQUEST_COLUMNS, requestPath } from './requestColumns.tsx';

const LIVE_MS = 1_000;

export default function RequestsPage() {
  const [isLive, setIsLive] = useState(true);
  const [{ model, key, status, route, from, to, zone }] = useSearchState();
  const days = { from, to };
  const filters = { model, key, status, route, ...(zone === 'utc' ? days : timesOf(days)) };
  const requests = usePages(
    ['requests', filters],
    (cursor, signal) =>
      api.GET('/platform/v1/requests', { params: { query: { ...sent(filters), limit: 50, cursor } }, signal }),
    isLive ? { liveMs: LIVE_MS } : {},
  );
  return (
    <>
      <PageHeader
        title="Requests"
        description="Each call of the API, from the moment its answer ended, and why it was refused."
        actions={<Switch label="Live" checked={isLive} onChange={(event) => setIsLive(event.currentTarget.checked)} />}
      />
      <IdForm />
      <RequestFilters />
      <DataTable
        label="Requests"
        columns={REQUEST_COLUMNS}
        from={requests}
        rowKey={({ id }) => id}
        rowTo={requestPath}
        empty={
          <EmptyState drawing="signal" title="No requests here">
            {Object.values(filters).some(Boolean)
              ? 'No call fits these filters.'
              : 'Each call of the API appears here as soon as its answer ends.'}
          </EmptyState>
        }
      />
    </>
  );
}

/** Opens a call by the id that its client has. */
function IdForm() {
  const [id, setId] = useState('');
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() !== '') void navigate({ to: `/requests/${encodeURIComponent(id.trim())}` });
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" mb="md">
        <TextInput
          label="Find a call by its id"
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          placeholder="req_… of the header x-request-id, or the id of an answer"
          maw="30rem"
          className="grows"
        />
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}

/** The active filters: empty ones are not sent. */
const sent = <Filters extends Record<string, string | undefined>>(filters: Filters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Filters;
