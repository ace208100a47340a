import { api } from '../api/client.ts';
import { rowsFrom, useAnswer } from '../api/hooks.ts';
import type { LedgerRow } from '../api/shapes.ts';
import { cut } from '../parts/TableBody.tsx';
import { keyPrefix } from '../parts/keyPrefix.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';

const ROWS = 12;

/** The newest charges, each a click away from its explanation. */
export function LatestCharges() {
  const charges = useAnswer(['ledger', 'latest charges'], (signal) =>
    api.GET('/platform/v1/billing/ledger', { params: { query: { kind: 'debit', limit: ROWS } }, signal }),
  );
  return (
    <Panel
      title="Latest charges"
      description="A response has its ID in the header x-request-id, and as id in its body."
    >
      <DataTable
        label="Latest charges"
        columns={COLUMNS}
        from={rowsFrom(charges, charges.data?.data)}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/explain?id=${id}`}
        empty={
          <EmptyState drawing="money" title="No charges yet">
            After the first call, every cent of it can be explained here.
          </EmptyState>
        }
      />
    </Panel>
  );
}

const COLUMNS: Column<LedgerRow>[] = [
  { title: 'Time', cell: ({ created_at: at }) => <Ago at={at} /> },
  {
    title: 'For',
    cell: ({ model, agent, route }) => cut(agent ?? model ?? route ?? '—', 'is-narrow'),
  },
  { title: 'Entry', visibleFrom: 'md', cell: ({ id }) => <span className="id">{id}</span> },
  {
    title: 'Key',
    visibleFrom: 'sm',
    cell: ({ key_prefix: prefix }) => keyPrefix(prefix),
  },
  { title: 'Amount', usd: ({ amount_usd: usd }) => usd },
];
