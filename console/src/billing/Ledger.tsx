import { Group, Select, Stack, TextInput } from '@mantine/core';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { LedgerRow } from '../api/shapes.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { RowLink } from '../parts/RowLink.tsx';
import { timesOf } from '../usage/range.ts';
import { useSearchState } from '../parts/useSearchState.ts';

const KINDS = ['topup', 'debit', 'refund', 'correction', 'adjustment', 'payout', 'earning', 'absorbed'];

/** Every change of the balance, newest first. */
export function Ledger() {
  const [{ kind, from }, set] = useSearchState();
  const entries = usePages(['ledger', kind, from], (cursor, signal) =>
    api.GET('/platform/v1/billing/ledger', {
      params: { query: { limit: 20, cursor, ...(kind && { kind }), ...timesOf({ from }) } },
      signal,
    }),
  );
  return (
    <Panel title="Ledger" description="Each entry leads to what explains it.">
      <Stack>
        <Group gap="xs" align="flex-end">
          <Select
            label="Kind"
            placeholder="All"
            data={KINDS}
            value={kind ?? null}
            onChange={(value) => set({ kind: value ?? undefined })}
            clearable
            clearButtonProps={{ 'aria-label': 'Clear' }}
            w={160}
          />
          <TextInput
            type="date"
            label="From"
            value={from ?? ''}
            onChange={(event) => set({ from: event.currentTarget.value || undefined })}
          />
        </Group>
        <DataTable label="Ledger" columns={COLUMNS} from={entries} rowKey={({ id }) => id} empty="No entries here." />
      </Stack>
    </Panel>
  );
}

const COLUMNS: Column<LedgerRow>[] = [
  {
    title: 'Time',
    cell: ({ id, created_at: at }) => (
      <RowLink to={`/explain?id=${id}`}>
        <DateTime at={at} />
      </RowLink>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => kind },
  { title: 'For', visibleFrom: 'sm', cell: ({ model, agent, route }) => agent ?? model ?? route ?? '—' },
  {
    title: 'Key',
    visibleFrom: 'md',
    cell: ({ key_prefix: prefix }) => (prefix ? <span className="id">{prefix}…</span> : '—'),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount_usd: usd }) => <Money usd={usd} hasSign /> },
  { title: 'Balance after', isNumber: true, cell: ({ balance_after_usd: usd }) => <Money usd={usd} /> },
];
