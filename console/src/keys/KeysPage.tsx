import './keys.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { accounts, type Member } from '../api/accounts.ts';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { useProjectNames } from '../api/projects.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { useProjectFilter } from '../parts/useFilters.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CreateKey, EditKey } from './KeyDialogs.tsx';
import { keyColumns, type KeyRow } from './keyColumns.tsx';
import { keyState, SCOPES, treeOf, type Key } from './keyTypes.ts';

const ALL = 'all';
const LIVE_MS = 10_000;
// A list of a megabyte is not read every ten seconds.
const MANY = 500;
const MANY_LIVE_MS = 60_000;

const FILTERS: Filter[] = [
  {
    label: 'Status',
    names: ['state'],
    options: [
      { value: 'live', label: 'Active' },
      { value: 'expired', label: 'Expired' },
      { value: 'revoked', label: 'Revoked' },
      { value: ALL, label: 'All' },
    ],
  },
  { label: 'Access', names: ['access'], options: SCOPES.map(({ value, label }) => ({ value, label })) },
];

export default function KeysPage() {
  const { role, workspace } = useMe();
  const mayWrite = role === 'owner' || role === 'developer';
  const [{ create, edit, state = 'live', access, project, q = '' }, setSearch] = useSearchState();
  const words = useDeferredValue(q.trim().toLowerCase());
  const keys = useAnswer(['keys'], (signal) => api.GET('/console/v1/keys', { signal }), {
    refetchInterval: ({ state: { data } }) => (data && data.data.length > MANY ? MANY_LIVE_MS : LIVE_MS),
  });
  const members = useQuery({
    queryKey: ['members', 'of keys', workspace.id],
    queryFn: () => accounts.listMembers(workspace.id),
    staleTime: 60_000,
  });
  // Rows and columns stay the same objects while a dialog opens, so that it need not wait for the list.
  const rows = useMemo(
    () => keys.data && rowsOf(keys.data.data, { state, access, project, words, members: members.data?.members }),
    [keys.data, state, access, project, words, members.data],
  );
  const names = useProjectNames();
  const columns = useMemo(() => keyColumns(rows, mayWrite, names), [rows, mayWrite, names]);
  const rowTo = useCallback(
    (key: KeyRow) => (mayWrite && keyState(key) !== 'revoked' ? `/keys?edit=${key.id}` : `/requests?key=${key.id}`),
    [mayWrite],
  );
  const edited = keys.data?.data.find(({ id }) => id === edit);
  return (
    <>
      <PageHeader
        title="Keys"
        description="A key calls the API and spends this workspace’s balance. Give each program a key of its own, with its own limits."
        actions={mayWrite && <Button onClick={() => setSearch({ create: '1' })}>Create key</Button>}
      />
      <Tools />
      <DataTable
        label="Keys"
        columns={columns}
        from={{ rows, error: keys.error, isLoading: keys.isLoading, retry: () => void keys.refetch() }}
        rowKey={({ id }) => id}
        noun="key"
        rowTo={rowTo}
        empty={
          <NoKeys
            isFiltered={keys.data?.data.some((key) => keyState(key) === 'live') ?? false}
            onCreate={mayWrite ? () => setSearch({ create: '1' }) : undefined}
          />
        }
      />
      {mayWrite && (
        <CreateKey
          project={project ?? null}
          isOpen={create !== undefined}
          onClose={() => setSearch({ create: undefined })}
        />
      )}
      {mayWrite && edited && <EditKey of={edited} isOpen onClose={() => setSearch({ edit: undefined })} />}
    </>
  );
}

/** The search and the filters. */
function Tools() {
  const [{ q = '' }, setSearch] = useSearchState();
  return (
    <div className="list-tools">
      <SearchField
        label="Search keys"
        hint="Name or prefix"
        value={q}
        onChange={(text) => setSearch({ q: text || undefined })}
      />
      <FilterBar filters={useFilters()} />
    </div>
  );
}

function NoKeys({ isFiltered, onCreate }: { isFiltered: boolean; onCreate: (() => void) | undefined }) {
  if (isFiltered)
    return (
      <EmptyState drawing="key" title="No matching keys">
        No key fits these filters.
      </EmptyState>
    );
  const action = onCreate && (
    <Button variant="default" onClick={onCreate}>
      Create key
    </Button>
  );
  return (
    <EmptyState drawing="key" title="No keys yet" action={action}>
      Your program calls the API with a key. Each key has its own access and limits.
    </EmptyState>
  );
}

/** Projects are a filter where there are several. */
function useFilters(): Filter[] {
  return [...FILTERS, ...useProjectFilter()];
}

/** The keys that fit the filters, as a tree. Before the members are known, no key is marked as a former member’s. */
function rowsOf(
  keys: Key[],
  {
    state,
    access,
    project,
    words,
    members,
  }: {
    state: string;
    access: string | undefined;
    project: string | undefined;
    words: string;
    members: Member[] | undefined;
  },
): KeyRow[] {
  const shown = keys.filter(
    (key) =>
      (state === ALL || keyState(key) === state) &&
      (words === '' || `${key.name} ${key.prefix}`.toLowerCase().includes(words)) &&
      (!access || key.scopes.includes(access)) &&
      (!project || key.project_id === project),
  );
  const present = members && new Set(members.map(({ userId }) => userId));
  return treeOf(shown).map((key) => ({
    ...key,
    isOfFormer: present !== undefined && key.owner_user_id !== null && !present.has(key.owner_user_id),
  }));
}
