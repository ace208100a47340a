import { Text } from '@mantine/core';
import type { RequestRow } from '../api/shapes.ts';
import type { Column } from '../parts/DataTable.tsx';
import { countText, DateTime, durationText, Money } from '../parts/figures.tsx';
import { RowLink } from '../parts/RowLink.tsx';
import { StatusBadge } from './StatusBadge.tsx';

/** The columns of the log. */
export const REQUEST_COLUMNS: Column<RequestRow>[] = [
  {
    title: 'Time',
    cell: ({ id, model, started_at: at }) => (
      <>
        <RowLink to={`/requests/${id}`}>
          <DateTime at={at} />
        </RowLink>
        <div className="cell-sub mantine-hidden-from-sm">{model ?? 'No model'}</div>
      </>
    ),
  },
  {
    title: 'Status',
    cell: (request) => (
      <>
        <StatusBadge of={request} />
        {request.calls > 1 && ` × ${countText(request.calls)}`}
        {request.error && (
          <Text size="xs" c="dimmed" truncate maw={84} title={request.error.message}>
            {request.error.code}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Model',
    visibleFrom: 'sm',
    cell: ({ model }) => (
      <Text size="sm" truncate maw={220} title={model ?? undefined}>
        {model ?? '—'}
      </Text>
    ),
  },
  {
    title: 'Route',
    visibleFrom: 'lg',
    cell: ({ route }) => (
      <Text className="id" truncate maw={150} title={route}>
        {route}
      </Text>
    ),
  },
  {
    title: 'Key',
    visibleFrom: 'md',
    cell: ({ key_name: name, key_prefix: prefix }) => (
      <Text size="sm" truncate maw={120} title={name ?? prefix ?? undefined}>
        {name ?? prefix ?? '—'}
      </Text>
    ),
  },
  { title: 'Units', isNumber: true, visibleFrom: 'sm', cell: ({ usage }) => unitsText(usage) },
  { title: 'Took', isNumber: true, visibleFrom: 'sm', cell: ({ duration_ms: ms }) => durationText(ms) },
  { title: 'Cost', isNumber: true, cell: ({ cost_usd: usd }) => <Money usd={usd} /> },
];

function unitsText(usage: RequestRow['usage']): string {
  const total = usage.filter(({ unit }) => !/cached|reasoning/.test(unit)).map(({ quantity }) => countText(quantity));
  return total.length === 0 ? '—' : total.join(' + ');
}
