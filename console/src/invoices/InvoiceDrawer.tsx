import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { api, linkPath } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { Invoice } from '../api/shapes.ts';
import { DataTable, TableFailure, type Column } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Count, UtcDay } from '../parts/figures.tsx';
import { exactDigitsOf, Money } from '../parts/Money.tsx';
import { productName } from '../parts/productNames.ts';
import { monthText } from '../usage/period.ts';
import { addressOf } from './Details.tsx';
import { Sheet } from '../parts/Sheet.tsx';

/** One invoice at the side, as its PDF has it. */
export function InvoiceDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const invoice = useAnswer(
    ['invoice', id],
    (signal) =>
      api.GET('/platform/v1/billing/invoices/{invoice_id}', { params: { path: { invoice_id: id! } }, signal }),
    { enabled: id !== undefined },
  );
  return (
    <Sheet
      isOpen={id !== undefined}
      onClose={onClose}
      size="xl"
      title={invoice.data ? `Invoice ${invoice.data.number}` : 'Invoice'}
    >
      {invoice.error && <TableFailure error={invoice.error} retry={() => void invoice.refetch()} />}
      {invoice.isLoading && <Skeleton height={420} />}
      {invoice.data && <Content of={invoice.data} />}
    </Sheet>
  );
}

/** The file of an invoice. */
export const pdfOf = (id: string): string => linkPath(`/platform/v1/billing/invoices/${id}/pdf`);

function Content({ of: invoice }: { of: Invoice }) {
  const { id, month, created_at: at, customer, lines } = invoice;
  const purchases = lines.filter(({ tax_usd: tax }) => tax !== null);
  return (
    <Stack>
      <dl className="invoice-facts">
        <Fact name="Month">{monthText(month)}</Fact>
        <Fact name="Issued">
          <UtcDay at={at} />
        </Fact>
        <Fact name="Purchase order">{customer.purchase_order ?? '—'}</Fact>
        <Fact name="Tax number">{customer.tax_id?.value ?? '—'}</Fact>
        <Fact name="Bill to">
          <span>{customer.company ?? customer.workspace_name}</span>
          {addressOf(customer).map((line, nth) => (
            <span key={nth}>{line}</span>
          ))}
        </Fact>
      </dl>
      <DataTable
        label="What was paid"
        columns={[
          { title: 'Paid', cell: ({ type }) => LABELS[type], foot: <strong>Total</strong> },
          {
            title: 'Date',
            visibleFrom: 'sm',
            cell: ({ at: paidAt }) => (paidAt === null ? '—' : <UtcDay at={paidAt} />),
          },
          { title: 'Amount', usd: ({ amount_usd: usd }) => usd, sum: invoice.net_usd },
          { title: 'Tax', usd: ({ tax_usd: usd }) => usd, sum: invoice.tax_usd },
          { title: 'With tax', usd: (line) => line.amount_usd + (line.tax_usd ?? 0), sum: invoice.total_usd },
        ]}
        from={{ rows: purchases, error: null, isLoading: false }}
        rowKey={({ reference, at: paidAt }) => `${reference} ${paidAt}`}
        empty="Nothing was paid in this month."
      />
      <Use of={invoice} />
      <Button component="a" href={pdfOf(id)} download leftSection={<DownloadIcon />}>
        Download PDF
      </Button>
    </Stack>
  );
}

type Line = Invoice['lines'][number];

const LABELS: Record<Line['type'], string> = {
  payment: 'Prepaid credit',
  refund: 'Credit refunded',
  dispute: 'Credit disputed',
  adjustment: 'Credit granted or adjusted',
  payout: 'Earnings paid out',
  usage: 'Usage',
};

/** `Text: qwen3-32b`, or what else changed the balance. */
const nameOf = ({ type, product, name }: Line): string =>
  product === null ? LABELS[type] : [productName(product), name].filter(Boolean).join(': ');

/** The balance from its start to its end. */
function Use({
  of: { lines, net_usd: net, opening_balance_usd: opening, closing_balance_usd: closing },
}: {
  of: Invoice;
}) {
  const others = lines.filter(({ tax_usd: tax }) => tax === null);
  const rows = [
    { name: 'Opening balance', requests: null, usd: opening },
    { name: 'Credit bought, less refunds', requests: null, usd: net },
    ...others.map((line) => ({ name: nameOf(line), requests: line.requests, usd: line.amount_usd })),
  ];
  const digits = exactDigitsOf([...rows.map(({ usd }) => usd), closing]);
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'Balance', cell: ({ name }) => name, foot: <strong>Closing balance</strong> },
    {
      title: 'Requests',
      isNumber: true,
      visibleFrom: 'sm',
      cell: ({ requests }) => (requests === null ? '' : <Count value={requests} />),
    },
    {
      title: 'Amount',
      isNumber: true,
      cell: ({ usd }) => <Money usd={usd} digits={digits} />,
      foot: <Money usd={closing} digits={digits} />,
    },
  ];
  return (
    <>
      <DataTable
        label="Use of the credit"
        columns={columns}
        from={{ rows, error: null, isLoading: false }}
        rowKey={({ name, usd }) => `${name} ${usd}`}
        empty=""
      />
      <Text size="xs" c="dimmed">
        Usage is not charged again: it was paid from the balance.
      </Text>
    </>
  );
}
