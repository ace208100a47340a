import './invoices.css';
import { Anchor, Stack } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { InvoiceSummary } from '../api/shapes.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { UtcDay } from '../parts/figures.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { monthText } from '../usage/period.ts';
import { Details } from './Details.tsx';
import { InvoiceDrawer, pdfOf } from './InvoiceDrawer.tsx';

/** One invoice a month, and whom they are for. */
export function Invoices() {
  const [{ invoice }, set] = useSearchState();
  const invoices = usePages(['invoices'], (cursor, signal) =>
    api.GET('/platform/v1/billing/invoices', { params: { query: { limit: 50, cursor } }, signal }),
  );
  return (
    <Stack>
      <Details />
      <DataTable
        label="Invoices"
        columns={COLUMNS}
        from={invoices}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/billing?view=invoices&invoice=${id}`}
        noun="invoice"
        empty={
          <EmptyState drawing="money" title="No invoices yet">
            After each month in which the balance changed, its invoice is here and in the mail of accounts payable.
          </EmptyState>
        }
      />
      <InvoiceDrawer id={invoice} onClose={() => set({ invoice: undefined })} />
    </Stack>
  );
}

const COLUMNS: Column<InvoiceSummary>[] = [
  { title: 'Number', cell: ({ number }) => <span className="id">{number}</span> },
  { title: 'Month', cell: ({ month }) => monthText(month) },
  { title: 'Issued', visibleFrom: 'md', cell: ({ created_at: at }) => <UtcDay at={at} /> },
  { title: 'Used', visibleFrom: 'md', usd: ({ usage_usd: usd }) => usd },
  { title: 'Amount', visibleFrom: 'sm', usd: ({ net_usd: usd }) => usd },
  { title: 'Tax', visibleFrom: 'sm', usd: ({ tax_usd: usd }) => usd },
  { title: 'Paid', usd: ({ total_usd: usd }) => usd },
  {
    title: 'File',
    isNumber: true,
    cell: ({ id, number }) => (
      <Anchor href={pdfOf(id)} download size="sm" aria-label={`PDF of ${number}`}>
        PDF
      </Anchor>
    ),
  },
];
