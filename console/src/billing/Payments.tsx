import { Anchor } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { TopupRow } from '../api/shapes.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { sumText } from '../parts/nanos.ts';

/** Payments, each with its receipt. */
export function Payments() {
  const topups = usePages(
    ['topups'],
    (cursor, signal) => api.GET('/platform/v1/billing/topups', { params: { query: { limit: 50, cursor } }, signal }),
    { liveMs: 3_000 },
  );
  return (
    <DataTable
      label="Payments"
      columns={columnsWith(topups.rows)}
      from={topups}
      rowKey={({ id }) => id}
      noun="payment"
      empty={
        <EmptyState drawing="money" title="No payments yet">
          Each payment into the balance appears here with its receipt.
        </EmptyState>
      }
    />
  );
}

const STATES: Record<TopupRow['status'], [tone: Tone, word: string]> = {
  open: ['quiet', 'Not paid'],
  processing: ['busy', 'Processing'],
  paid: ['good', 'Paid'],
  failed: ['bad', 'Failed'],
  expired: ['quiet', 'Expired'],
};

function columnsWith(rows: TopupRow[] | undefined): Column<TopupRow>[] {
  const paid = rows?.filter(({ status }) => status === 'paid');
  const isTaxed = rows?.some(({ tax_usd: tax }) => tax !== null) ?? false;
  return [
    {
      title: 'Time',
      cell: ({ paid_at: at, created_at: created }) => <Ago at={at ?? created} />,
    },
    {
      title: 'Status',
      cell: ({ status }) => {
        const [tone, word] = STATES[status];
        return <Status tone={tone} word={word} />;
      },
    },
    {
      title: 'Source',
      visibleFrom: 'sm',
      cell: ({ source }) => (source === 'auto' ? 'Automatic top-up' : 'Checkout'),
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
    {
      title: 'Refunded',
      visibleFrom: 'sm',
      usd: ({ refunded_usd: refunded, disputed_usd: disputed }) =>
        refunded + disputed === 0 ? null : sumText([refunded, disputed]),
    },
    {
      title: 'Amount',
      usd: ({ amount_usd: usd }) => usd,
      sum: paid && sumText(paid.map(({ amount_usd: usd }) => usd)),
    },
    ...(isTaxed ? taxColumns(paid) : []),
  ];
}

/** What was paid with the credit: the tax, and both together. */
const taxColumns = (paid: TopupRow[] | undefined): Column<TopupRow>[] => [
  {
    title: 'Tax',
    visibleFrom: 'lg',
    usd: ({ tax_usd: usd }) => usd,
    sum: paid && sumText(paid.map(({ tax_usd: usd }) => usd ?? 0)),
  },
  {
    title: 'With tax',
    visibleFrom: 'sm',
    usd: ({ total_usd: usd }) => usd,
    sum: paid && sumText(paid.map(({ total_usd: usd }) => usd)),
  },
];
