import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { rowsFrom, useAnswer } from '../api/hooks.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { Panel } from '../parts/Panel.tsx';
import { REQUEST_COLUMNS, requestPath } from '../requests/requestColumns.tsx';

const ROWS = 6;
// A panel has less room than the page of requests.
const COLUMNS = REQUEST_COLUMNS.filter(({ title }) => title !== 'Route');

/** The newest calls, updated as they end. */
export function LatestRequests() {
  const requests = useAnswer(
    ['requests', 'latest'],
    (signal) => api.GET('/platform/v1/requests', { params: { query: { limit: ROWS } }, signal }),
    { refetchInterval: 2_000 },
  );
  return (
    <Panel
      title="Latest requests"
      actions={
        <Anchor component={Link} to="/requests" size="sm">
          All requests
        </Anchor>
      }
    >
      <DataTable
        label="Latest requests"
        columns={COLUMNS}
        from={rowsFrom(requests, requests.data?.data)}
        rowKey={({ id }) => id}
        rowTo={requestPath}
        empty="Your first call appears here."
      />
    </Panel>
  );
}
