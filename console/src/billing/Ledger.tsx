import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { LedgerRow } from '../api/shapes.ts';
import { cut } from '../parts/TableBody.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { ExportCsv } from '../parts/ExportCsv.tsx';
import { Ago } from '../parts/figures.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { keyPrefix } from '../parts/keyPrefix.tsx';
import { Total } from '../parts/totals.tsx';
import { sumText } from '../parts/nanos.ts';
import { useKeyFilter } from '../parts/useFilters.ts';
import { useSearchState } from '../parts/useSearchState.ts';
import { useTotals, type Totals } from '../parts/useTotals.ts';
import { timesOf } from '../usage/range.ts';
import { LIVE_MS } from './useCommonTime.ts';
import { KINDS, kindText } from './kinds.ts';

/** Every change of the balance, newest first; each leads to what explains it. */
export function Ledger() {
  const [{ kind, key, from, to, zone }] = useSearchState();
  const days = { from, to };
  const filters = { ...(kind && { kind }), ...(key && { key }), ...(zone === 'utc' ? days : timesOf(days)) };
  const isFiltered = Boolean(kind ?? key ?? from ?? to);
  const entries = usePages(
    ['ledger', filters],
    (cursor, signal) =>
      api.GET('/platform/v1/billing/ledger', { params: { query: { ...filters, limit: 50, cursor } }, signal }),
    { liveMs: LIVE_MS },
  );
  const totals = useTotals({
    key: ['ledger', 'totals', filters],
    call: (signal) => api.GET('/platform/v1/billing/ledger/totals', { params: { query: filters }, signal }),
    from: entries,
    read: ({ count, amount_usd: usd, beside_usd: beside }) => ({ count, usd: sumText([usd ?? 0, beside ?? 0]) }),
    amountOf: ({ amount_usd: usd }) => usd,
  });
  return (
    <>
      <LedgerFilters>
        <ExportCsv path="/platform/v1/billing/ledger" filters={filters} />
      </LedgerFilters>
      <DataTable
        label="Ledger"
        columns={columnsWith(totals)}
        from={entries}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/explain?id=${id}`}
        empty={
          <EmptyState drawing="money" title={isFiltered ? 'No matching entries' : 'No entries yet'}>
            {isFiltered
              ? 'No entry of the ledger fits these filters.'
              : 'Every change of the balance is an entry of the ledger, and each can be explained.'}
          </EmptyState>
        }
      />
    </>
  );
}

function LedgerFilters({ children }: { children: React.ReactNode }) {
  const filters: Filter[] = [
    { label: 'Kind', names: ['kind'], options: Object.entries(KINDS).map(([value, label]) => ({ value, label })) },
    useKeyFilter(),
    { label: 'Date', names: ['from', 'to'], isDays: true },
  ];
  return (
    <FilterBar filters={filters} saveAs="ledger">
      {children}
    </FilterBar>
  );
}

function columnsWith({ count, usd, isPart }: Totals): Column<LedgerRow>[] {
  return [
    {
      title: 'Time',
      cell: ({ created_at: at }) => <Ago at={at} />,
      foot: <Total count={count} of="entry" hasMore={isPart} />,
    },
    { title: 'Kind', cell: ({ kind }) => kindText(kind) },
    {
      title: 'For',
      visibleFrom: 'sm',
      cell: ({ model, agent, route }) => cut(agent ?? model ?? route ?? '—'),
    },
    {
      title: 'Key',
      visibleFrom: 'lg',
      cell: ({ key_prefix: prefix }) => keyPrefix(prefix),
    },
    { title: 'Entry', visibleFrom: 'xl', cell: ({ id }) => <span className="id">{id}</span> },
    {
      title: 'Amount',
      usd: ({ amount_usd: usd }) => usd,
      hasSign: true,
      isExact: true,
      sum: usd,
    },
    { title: 'Balance after', visibleFrom: 'sm', usd: ({ balance_after_usd: usd }) => usd, isExact: true },
  ];
}
