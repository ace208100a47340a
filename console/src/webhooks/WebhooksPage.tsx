import { Button } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Status } from '../parts/Status.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CreateEndpoint } from './EndpointDialogs.tsx';
import { eventsText, mayAddEndpoints, receivers, stateOf, type Endpoint } from './endpoints.ts';

const LIVE_MS = 5_000;

export default function WebhooksPage() {
  const mayWrite = mayAddEndpoints(useMe().scopes);
  const [{ create }, setSearch] = useSearchState();
  const endpoints = usePages<Endpoint>(
    ['webhooks', 'list'],
    (cursor, signal) => api.GET('/platform/v1/webhook_endpoints', { params: { query: { cursor } }, signal }),
    { liveMs: LIVE_MS },
  );
  const add = () => setSearch({ create: '1' });
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Events are posted to your server, signed, until it accepts them."
        actions={mayWrite && <Button onClick={add}>Add endpoint</Button>}
      />
      <DataTable
        label="Webhook endpoints"
        columns={COLUMNS}
        from={endpoints}
        rowKey={({ id }) => id}
        noun="endpoint"
        rowTo={({ id }) => `/webhooks/${id}`}
        empty={
          <EmptyState
            drawing="signal"
            title="No endpoints yet"
            action={mayWrite && <Button onClick={add}>Add endpoint</Button>}
            snippet={<CodeSnippets snippets={receivers} label="A receiver in" />}
          >
            Your server learns at once when runs and batches end, or when the balance is low.
          </EmptyState>
        }
      />
      {mayWrite && <CreateEndpoint isOpen={create !== undefined} onClose={() => setSearch({ create: undefined })} />}
    </>
  );
}

const COLUMNS: Column<Endpoint>[] = [
  {
    title: 'URL',
    cell: ({ url, description }) => (
      <>
        <span className="id">{url}</span>
        {description && (
          <span className="cell-note" title={description}>
            {description}
          </span>
        )}
      </>
    ),
  },
  {
    title: 'Events',
    visibleFrom: 'sm',
    cell: (endpoint) => (
      <span className="nowrap" title={endpoint.event_types.join(', ')}>
        {eventsText(endpoint)}
      </span>
    ),
  },
  {
    title: 'Status',
    cell: (endpoint) => {
      const { tone, word, reason } = stateOf(endpoint);
      return <Status tone={tone} word={word} title={reason} />;
    },
  },
  { title: 'Added', visibleFrom: 'md', cell: ({ created_at: at }) => <Ago at={at} /> },
];
