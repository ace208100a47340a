import { Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { api } from '../../api/client.ts';
import { usePages } from '../../api/hooks.ts';
import { AbsentNote } from '../../parts/AbsentNote.tsx';
import { DataTable, type Column } from '../../parts/DataTable.tsx';
import { Ago } from '../../parts/figures.tsx';
import { FilterBar, type Filter } from '../../parts/FilterBar.tsx';
import { useSearchState } from '../../parts/useSearchState.ts';
import { AuditExport } from '../../settings/audit/AuditExport.tsx';
import { timesOf } from '../../usage/range.ts';
import { AuditEntry } from './AuditEntry.tsx';
import type { AuditRow } from './changes.ts';
import { actorNameOf, deedOf } from './sentences.ts';

const FILTERS = [
  { name: 'person', label: 'Person' },
  { name: 'workspace', label: 'Workspace ID' },
  { name: 'action', label: 'Action' },
  { name: 'subject', label: 'Subject ID' },
] as const;

const DAYS: Filter[] = [{ label: 'Date', names: ['from', 'to'], isDays: true }];

/** Who did what to keys, limits, members, money, agents and content, in sentences. */
export default function Audit() {
  const [search, setSearch] = useSearchState();
  const { person, workspace, action, subject, from, to, zone, entry } = search;
  const days = zone === 'utc' ? { from, to } : timesOf({ from, to });
  const [filters] = useDebouncedValue({ person, workspace, action, subject }, 300);
  const rows = usePages<AuditRow>(['audit', filters, days], (cursor, signal) =>
    api.GET('/console/v1/audit', {
      params: { query: { ...sent({ ...filters, ...days }), limit: 50, cursor } },
      signal,
    }),
  );
  const shown = rows.rows?.find(({ id }) => id === entry);
  const close = () => setSearch({ entry: undefined });
  return (
    <Stack>
      <AuditExport at="/console/v1/platform/audit-export" />
      <div className="list-tools audit-filters">
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
      </div>
      {entry !== undefined && rows.rows && !shown && (
        <AbsentNote title="This entry is not shown" onClose={close}>
          It is not among these rows. Clear the filters, or scroll down to older ones.
        </AbsentNote>
      )}
      <DataTable
        isStacked
        label="Audit trail"
        columns={COLUMNS}
        from={rows}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/operate?${new URLSearchParams({ ...sent(search), tab: 'audit', entry: id })}`}
        empty="No matching entries."
      />
      <AuditEntry row={shown} onPerson={(by) => setSearch({ person: by, entry: undefined })} onClose={close} />
    </Stack>
  );
}

/** The active filters: an empty one is not sent. */
const sent = (filters: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Record<string, string>;

const COLUMNS: Column<AuditRow>[] = [
  {
    title: 'What happened',
    cell: (row) => (
      <span className="audit-sentence">
        <b>{actorNameOf(row)}</b> {deedOf(row)}
      </span>
    ),
  },
  {
    title: 'Workspace',
    visibleFrom: 'md',
    cell: ({ workspace_id: id, workspace_name: name }) => (
      <span className="cell-cut" title={id ?? undefined}>
        {name ?? id ?? '—'}
      </span>
    ),
  },
  { title: 'Time', isNumber: true, cell: ({ created_at: at }) => <Ago at={at} /> },
];
