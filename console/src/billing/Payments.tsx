import { Anchor } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { TopupRow } from '../api/shapes.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';

/** Payments, each with its receipt. */
export function Payments() {
  const topups = usePages(
    ['topups'],
    (cursor, signal) => api.GET('/platform/v1/billing/topups', { params: { query: { limit: 10, cursor } }, signal }),
    { liveMs: 3_000 },
  );
  return (
    <Panel title="Payments and receipts">
      <DataTable
        isStacked
        label="Payments"
        columns={COLUMNS}
        from={topups}
        rowKey={({ id }) => id}
        empty="No payments yet."
      />
    </Panel>
  );
}

const COLUMNS: Column<TopupRow>[] = [
  { title: 'Time', cell: ({ paid_at: paid, created_at: created }) => <DateTime at={paid ?? created} /> },
  { title: 'State', cell: ({ status }) => status.replaceAll('_', ' ') },
  {
    title: 'By',
    visibleFrom: 'sm',
    cell: ({ source }) => (source === 'auto' ? 'Automatic top-up' : 'Payment page'),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount_usd: usd }) => <Money usd={usd} /> },
  {
    title: 'Returned',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ refunded_usd: refunded, disputed_usd: disputed }) =>
      refunded + disputed === 0 ? '—' : <Money usd={refunded + disputed} />,
  },
  {
    title: 'Receipt',
    cell: ({ receipt_url: url }) =>
      url ? (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
          Open
        </Anchor>
      ) : (
        '—'
      ),
  },
];
