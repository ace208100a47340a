import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UsageReport, UsageRow } from '../api/shapes.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Count, countText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import type { Range } from './range.ts';
import { Before } from './Before.tsx';
import { nameOf, summed, valueOf } from './usageRows.ts';

/** The numbers of the picture, summed over its days. */
export function UsageTable({
  report,
  prior,
  by,
  range,
  isLoading,
}: {
  report: UsageReport | undefined;
  prior: UsageReport | undefined;
  by: string;
  range: Range;
  isLoading: boolean;
}) {
  const before = new Map(prior?.data.map((row) => [valueOf(row, by), row.cost_usd]));
  const columns: Column<UsageRow>[] = [
    { title: by === 'meter' ? 'Meter' : 'Name', cell: (row) => <Name row={row} by={by} range={range} /> },
    { title: 'Requests', isNumber: true, cell: (row) => <Count value={row.requests} /> },
    { title: 'Runs', isNumber: true, visibleFrom: 'sm', cell: (row) => <Count value={row.runs} /> },
    { title: 'Errors', isNumber: true, visibleFrom: 'sm', cell: (row) => <Count value={row.errors} /> },
    {
      title: 'Units',
      visibleFrom: 'md',
      cell: ({ units }) => (
        <Text size="sm" c="dimmed">
          {units.map(({ unit, quantity }) => `${countText(quantity)} ${unit.replaceAll('_', ' ')}`).join(', ') || '—'}
        </Text>
      ),
    },
    { title: 'Cost', isNumber: true, cell: (row) => <Money usd={row.cost_usd} /> },
    ...(prior
      ? [
          {
            title: 'Before',
            isNumber: true,
            cell: (row: UsageRow) => <Before now={row.cost_usd} before={before.get(valueOf(row, by)) ?? 0} />,
          },
        ]
      : []),
  ];
  return (
    <DataTable
      label="Usage by name"
      columns={columns}
      from={{ rows: report && summed(report, by), error: null, isLoading }}
      rowKey={(row) => valueOf(row, by) ?? ''}
      empty="Nothing was used in these days."
    />
  );
}

function Name({ row, by, range }: { row: UsageRow; by: string; range: Range }) {
  const value = valueOf(row, by);
  const isFilter = (by === 'model' || by === 'key' || by === 'route') && value !== null;
  if (!isFilter) return <>{nameOf(row, by)}</>;
  return (
    <Anchor
      component={Link}
      {...pageAt('/requests', { from: range.from, to: range.to, zone: 'utc', [by]: value })}
      size="sm"
    >
      {nameOf(row, by)}
    </Anchor>
  );
}
