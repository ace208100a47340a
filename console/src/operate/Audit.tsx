import { Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Ago } from '../parts/figures.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { timesOf } from '../usage/range.ts';

type AuditRow = components['schemas']['AuditPage']['data'][number];

const FILTERS = [
  { name: 'workspace', label: 'Workspace ID' },
  { name: 'action', label: 'Action' },
  { name: 'subject', label: 'Subject ID' },
] as const;

const DAYS: Filter[] = [{ label: 'Date', names: ['from', 'to'], isDays: true }];

/** Who did what to keys, limits, members, money, agents and content. */
export default function Audit() {
  const [search, setSearch] = useSearchState();
  const { workspace, action, subject, from, to, zone } = search;
  const days = zone === 'utc' ? { from, to } : timesOf({ from, to });
  const [filters] = useDebouncedValue({ workspace, action, subject }, 300);
  const rows = usePages<AuditRow>(['audit', filters, days], (cursor, signal) =>
    api.GET('/console/v1/audit', {
      params: { query: { ...sent({ ...filters, ...days }), limit: 50, cursor } },
      signal,
    }),
  );
  return (
    <Stack>
      <Group gap="xs">
        {FILTERS.map(({ name, label }) => (
          <TextInput
            key={name}
            aria-label={label}
            placeholder={label}
            value={search[name] ?? ''}
            onChange={(event) => setSearch({ [name]: event.currentTarget.value })}
          />
        ))}
        <FilterBar filters={DAYS} />
      </Group>
      <DataTable
        isStacked
        label="Audit trail"
        columns={COLUMNS}
        from={rows}
        rowKey={({ id }) => id}
        empty="No entries match."
      />
    </Stack>
  );
}

/** The active filters: an empty one is not sent. */
const sent = (filters: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value));

const COLUMNS: Column<AuditRow>[] = [
  { title: 'Time', cell: ({ created_at: at }) => <Ago at={at} /> },
  { title: 'Action', cell: ({ action }) => <b className="nowrap">{action}</b> },
  {
    title: 'By',
    cell: ({ by, user_id: user, key_id: key }) => <span className="cell-short">{by ?? user ?? key ?? '—'}</span>,
  },
  {
    title: 'Subject',
    cell: ({ subject_id: subject }) => (
      <span className="id cell-cut" title={subject}>
        {subject}
      </span>
    ),
  },
  {
    title: 'Workspace',
    visibleFrom: 'md',
    cell: ({ workspace_id: id }) => (
      <span className="id cell-cut" title={id ?? undefined}>
        {id ?? '—'}
      </span>
    ),
  },
  {
    title: 'Detail',
    visibleFrom: 'md',
    cell: ({ detail }) =>
      Object.keys(detail).length === 0 ? (
        '—'
      ) : (
        <span className="id cell-cut" title={JSON.stringify(detail, null, 2)}>
          {JSON.stringify(detail)}
        </span>
      ),
  },
];
