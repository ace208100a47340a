import { Text } from '@mantine/core';
import type { UsageReport } from '../api/shapes.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Count } from '../parts/figures.tsx';
import { RowLink } from '../parts/RowLink.tsx';
import { StatusBadge } from './StatusBadge.tsx';

type Refusal = UsageReport['errors_by_code'][number];

/** Why calls were refused or failed, by code. Each links to the latest of them. */
export function Refusals({ of }: { of: Refusal[] | undefined }) {
  return (
    <DataTable
      label="Errors by code"
      columns={COLUMNS}
      from={{ rows: of, error: null, isLoading: of === undefined }}
      rowKey={({ status, code }) => `${status} ${code}`}
      empty="No call was refused."
    />
  );
}

const COLUMNS: Column<Refusal>[] = [
  {
    title: 'Code',
    cell: ({ code, last_request_id: id }) => (
      <RowLink to={`/requests/${id}`}>
        <span className="id">{code}</span>
      </RowLink>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge of={{ status, cancelled: false }} /> },
  {
    title: 'The last reason',
    visibleFrom: 'sm',
    cell: ({ message }) => (
      <Text size="sm" lineClamp={2} maw="36rem">
        {message}
      </Text>
    ),
  },
  { title: 'Calls', isNumber: true, cell: ({ calls }) => <Count value={calls} /> },
];
