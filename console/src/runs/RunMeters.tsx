import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { meterName } from '../agents/names.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Panel } from '../parts/Panel.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { priceText } from '../parts/priceText.ts';
import { countOf } from '../parts/totals.tsx';
import type { Run } from './runEvents.ts';

interface Line {
  name: string;
  quantity: string;
  price: string;
  costUsd: number;
}

/** The bill of a run by meter: quantity times price, the network fee, and their sum. */
export function RunMeters({ run: { id, usage, status } }: { run: Run }) {
  const lines = usage.meters.map((meter) => ({
    name: meterName(meter.id),
    quantity: countOf(meter.quantity, meter.unit),
    price: priceText(meter.price_usd, meter.unit),
    costUsd: meter.cost_usd,
  }));
  const fee = { name: 'Network fee', quantity: '', price: '', costUsd: usage.network_fee_usd };
  return (
    <Panel
      title={usage.settled ? 'Bill' : 'Bill so far'}
      description={status === 'failed' ? 'A failed run costs nothing.' : undefined}
      actions={
        <Anchor component={Link} size="sm" {...pageAt('/explain', { id })}>
          Explain every cent
        </Anchor>
      }
    >
      <DataTable<Line>
        label="Meters"
        columns={columnsOf(usage.total_usd)}
        from={{ rows: [...lines, fee], error: null, isLoading: false }}
        rowKey={({ name }) => name}
        empty="Nothing was used."
      />
    </Panel>
  );
}

const columnsOf = (totalUsd: number): Column<Line>[] => [
  { title: 'Meter', cell: ({ name }) => name, foot: 'Total' },
  { title: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
  {
    title: 'Price',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ price }) => price,
  },
  { title: 'Cost', usd: ({ costUsd }) => costUsd, isExact: true, sum: totalUsd },
];
