import { Button, Switch } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { useTextModel } from '../api/models.ts';
import { useProjectNames } from '../api/projects.ts';
import type { RequestRow } from '../api/shapes.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { ExportCsv } from '../parts/ExportCsv.tsx';
import { FindById } from '../parts/FindById.tsx';
import { firstCalls } from '../parts/firstCalls.ts';
import { productOf } from '../parts/productNames.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { Total } from '../parts/totals.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { useTotals, type Totals } from '../parts/useTotals.ts';
import { timesOf } from '../usage/range.ts';
import { RequestFilters } from './RequestFilters.tsx';
import { requestColumns, requestPath } from './requestColumns.tsx';

const LIVE_MS = 1_000;
const TOTALS_MS = 10_000;

export default function RequestsPage() {
  const [isLive, setIsLive] = useState(true);
  const navigate = useNavigate();
  const [{ model, key, status, route, product, project, member, code, content, from, to, zone }] = useSearchState();
  const projects = useProjectNames();
  const days = { from, to };
  const filters = {
    model,
    key,
    status,
    route,
    product: productOf(product),
    project,
    member,
    code,
    content: contentOf(content),
    ...(zone === 'utc' ? days : timesOf(days)),
  };
  const isFiltered = Object.values(filters).some(Boolean);
  const requests = usePages(
    ['requests', filters],
    (cursor, signal) =>
      api.GET('/platform/v1/requests', { params: { query: { ...filters, limit: 50, cursor } }, signal }),
    isLive ? { liveMs: LIVE_MS } : {},
  );
  const totals = useTotals({
    key: ['requests', 'totals', filters],
    call: (signal) => api.GET('/platform/v1/requests/totals', { params: { query: filters }, signal }),
    from: requests,
    refetchInterval: TOTALS_MS,
    read: ({ calls, cost_usd: usd }) => ({ count: calls, usd: usd ?? undefined }),
    amountOf: ({ cost_usd: usd }) => usd,
    // Refusals with one code are one row for each minute.
    countOf: ({ calls }) => calls,
  });
  return (
    <>
      <PageHeader
        title="Requests"
        description="Every call of the API with its status, latency and exact cost."
        actions={<Switch label="Live" checked={isLive} onChange={(event) => setIsLive(event.currentTarget.checked)} />}
      />
      <RequestFilters>
        <FindById
          label="Find a request by its ID"
          placeholder="Request or response ID"
          onFind={(id) => void navigate({ to: `/requests/${encodeURIComponent(id)}` })}
        />
        <ExportCsv path="/platform/v1/requests" filters={filters} />
      </RequestFilters>
      <DataTable
        label="Requests"
        columns={columnsWith(totals, projects)}
        from={requests}
        rowKey={({ id }) => id}
        rowTo={requestPath}
        empty={isFiltered ? <NoMatch /> : <NoRequests />}
      />
    </>
  );
}

const contentOf = (text: string | undefined): 'true' | 'false' | undefined =>
  text === 'true' || text === 'false' ? text : undefined;

function columnsWith({ count, usd, isPart }: Totals, projects: ReadonlyMap<string, string>): Column<RequestRow>[] {
  return requestColumns(projects).map((column) => {
    if (column.usd) return { ...column, sum: usd };
    return column.title === 'Ended'
      ? { ...column, foot: <Total count={count} of="request" hasMore={isPart} /> }
      : column;
  });
}

function NoMatch() {
  return (
    <EmptyState drawing="signal" title="No matching requests">
      No request fits these filters. Clear one of them to see more.
    </EmptyState>
  );
}

function NoRequests() {
  const { features, scopes } = useMe();
  const model = useTextModel();
  return (
    <EmptyState
      drawing="signal"
      title="No requests yet"
      action={
        scopes.includes('manage') && (
          <Button component={Link} {...pageAt('/keys', { create: '1' })} variant="default">
            Create key
          </Button>
        )
      }
      snippet={<CodeSnippets snippets={firstCalls(features.api_url, undefined, model)} label="First call in" />}
    >
      Waiting for your first call: it appears here as soon as its response ends.
    </EmptyState>
  );
}
