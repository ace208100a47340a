import './keys.css';
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { accounts, type Member } from '../api/accounts.ts';
import { usePages } from '../api/hooks.ts';
import { listKeys, useKey, type Key, type KeyQuery } from '../api/keys.ts';
import { useMe } from '../api/me.ts';
import { useProjectNames } from '../api/projects.ts';
import { AbsentNote } from '../parts/AbsentNote.tsx';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { FilterBar, type Filter } from '../parts/FilterBar.tsx';
import { useProjectFilter } from '../parts/useFilters.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CreateKey, EditKey } from './KeyDialogs.tsx';
import { keyColumns, type KeyRow } from './keyColumns.tsx';
import { keyState, SCOPES, treeOf, type KeyScope } from './keyTypes.ts';

const ALL = 'all';
const LIVE_MS = 10_000;

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
  const [words] = useDebouncedValue(q.trim(), 200);
  const query: KeyQuery = {
    ...(words && { search: words }),
    ...(state !== ALL && { status: state as KeyQuery['status'] }),
    ...(access && { scope: access as KeyScope }),
    ...(project && { project }),
  };
  const keys = usePages<Key>(['keys', 'list', query], (cursor, signal) => listKeys({ ...query, cursor }, signal), {
    liveMs: LIVE_MS,
  });
  const members = useQuery({
    queryKey: ['members', 'of keys', workspace.id],
    queryFn: () => accounts.listMembers(workspace.id),
    staleTime: 60_000,
  });
  // Rows and columns stay the same objects while a dialog opens, so that it need not wait for the list.
  const rows = useMemo(() => keys.rows && rowsOf(keys.rows, members.data?.members), [keys.rows, members.data]);
  const names = useProjectNames();
  const columns = useMemo(
    () => keyColumns(keys.hasMore ? undefined : rows, mayWrite, names),
    [rows, keys.hasMore, mayWrite, names],
  );
  const rowTo = useCallback(
    (key: KeyRow) => (mayWrite && keyState(key) !== 'revoked' ? `/keys?edit=${key.id}` : `/requests?key=${key.id}`),
    [mayWrite],
  );
  const listed = keys.rows?.find(({ id }) => id === edit);
  const found = useKey(edit, mayWrite && keys.rows !== undefined && !listed);
  const edited = found ?? listed;
  const isRevoked = edited !== undefined && keyState(edited) === 'revoked';
  const close = () => setSearch({ edit: undefined });
  return (
    <>
      <PageHeader
        title="Keys"
        description="A key calls the API and spends this workspace’s balance. Give each program a key of its own, with its own limits."
        actions={mayWrite && <Button onClick={() => setSearch({ create: '1' })}>Create key</Button>}
      />
      <Tools />
      {(isRevoked || (found === null && !listed)) && <Absent revoked={edited} onClose={close} />}
      <DataTable
        label="Keys"
        columns={columns}
        from={{ ...keys, rows }}
        rowKey={({ id }) => id}
        noun="key"
        rowTo={rowTo}
        empty={
          <NoKeys
            isFiltered={Boolean(words || access || project) || state !== 'live'}
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
      {mayWrite && edited && !isRevoked && <EditKey of={edited} isOpen onClose={close} />}
    </>
  );
}

/** Why the key of the address cannot be edited. */
function Absent({ revoked, onClose }: { revoked: Key | undefined; onClose: () => void }) {
  if (revoked)
    return (
      <AbsentNote title={`${revoked.name} is revoked`} onClose={onClose}>
        A revoked key cannot be changed. Its <Link {...pageAt('/requests', { key: revoked.id })}>requests</Link> stay.
      </AbsentNote>
    );
  return (
    <AbsentNote title="Key not found" onClose={onClose}>
      This workspace has no key with the ID of this address. It may belong to another workspace.
    </AbsentNote>
  );
}

/** The search and the filters. */
function Tools() {
  return (
    <div className="list-tools">
      <SearchField label="Search keys" hint="Name or prefix" />
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

/** The keys as a tree. Before the members are known, no key is marked as a former member’s. */
function rowsOf(keys: Key[], members: Member[] | undefined): KeyRow[] {
  const present = members && new Set(members.map(({ userId }) => userId));
  return treeOf(keys).map((key) => ({
    ...key,
    isOfFormer: present !== undefined && key.owner_user_id !== null && !present.has(key.owner_user_id),
  }));
}
