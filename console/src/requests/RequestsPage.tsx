import { Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { timesOf } from '../usage/range.ts';
import { RequestFilters } from './RequestFilters.tsx';
import { REQUEST_COLUMNS } from './requestColumns.tsx';

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
        description="Each call of the API, from the moment its answer ended."
        actions={<Switch label="Live" checked={isLive} onChange={(event) => setIsLive(event.currentTarget.checked)} />}
      />
      <RequestFilters />
      <DataTable
        label="Requests"
        columns={REQUEST_COLUMNS}
        from={requests}
        rowKey={({ id }) => id}
        empty={
          <>
            <Text fw={600}>No requests here</Text>
            <Text c="dimmed" size="sm">
              {Object.values(filters).some(Boolean)
                ? 'None fits these filters.'
                : 'The first call appears here at once.'}
            </Text>
          </>
        }
      />
    </>
  );
}

/** The active filters: empty ones are not sent. */
const sent = <Filters extends Record<string, string | undefined>>(filters: Filters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Filters;
