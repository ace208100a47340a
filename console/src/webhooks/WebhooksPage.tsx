import '../parts/work.css';
import { Button, Text } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { RowLink } from '../parts/RowLink.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CreateEndpoint } from './EndpointDialogs.tsx';
import { isForAll, stateOf, type Endpoint } from './endpoints.ts';

const LIVE_MS = 5_000;

export default function WebhooksPage() {
  const mayWrite = useMe().scopes.includes('manage');
  const [{ create }, setSearch] = useSearchState();
  const endpoints = usePages<Endpoint>(
    ['webhooks', 'list'],
    (cursor, signal) => api.GET('/platform/v1/webhook_endpoints', { params: { query: { cursor } }, signal }),
    { liveMs: LIVE_MS },
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Your server learns of events at once: each is posted to an endpoint, signed, until it is accepted."
        actions={mayWrite && <Button onClick={() => setSearch({ create: '1' })}>Add an endpoint</Button>}
      />
      <DataTable
        label="Webhook endpoints"
        isStacked
        columns={COLUMNS}
        from={endpoints}
        rowKey={({ id }) => id}
        empty={
          <>
            <Text fw={600}>No endpoints yet</Text>
            <Text c="dimmed" size="sm">
              Add one to learn when runs and batches end, or the balance is low.
            </Text>
          </>
        }
      />
      {mayWrite && <CreateEndpoint isOpen={create !== undefined} onClose={() => setSearch({ create: undefined })} />}
    </>
  );
}

const COLUMNS: Column<Endpoint>[] = [
  {
    title: 'Address',
    cell: ({ id, url, description }) => (
      <div className="cell-wide">
        <RowLink to={`/webhooks/${id}`} className="row-link file-name">
          {url}
        </RowLink>
        {description && <div className="cell-sub">{description}</div>}
      </div>
    ),
  },
  {
    title: 'Events',
    cell: (endpoint) => (isForAll(endpoint) ? 'All' : endpoint.event_types.join(', ')),
  },
  {
    title: 'State',
    cell: (endpoint) => {
      const [words, look] = stateOf(endpoint);
      return <span className={`status ${look}`}>{words}</span>;
    },
  },
  { title: 'Added', visibleFrom: 'sm', cell: ({ created_at: at }) => <DateTime at={at} /> },
];
