import './memories.css';
import { Anchor, Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { FilterBar } from '../parts/FilterBar.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { DeleteMemory, DeleteOfUser } from './DeleteMemories.tsx';

type Memory = components['schemas']['Memory'];

export default function MemoriesPage() {
  const [{ user = '', agent, q = '' }, set] = useSearchState();
  const [ofUser] = useDebouncedValue(user.trim(), 200);
  const [words] = useDebouncedValue(q.trim(), 200);
  const query = { agent, ...(ofUser && { user: ofUser, ...(words && { query: words }) }) };
  const memories = usePages<Memory>(['memories', query], (cursor, signal) =>
    api.GET('/v1/memories', { params: { query: { ...query, limit: 50, cursor } }, signal }),
  );
  const agents = [...new Set(memories.rows?.map((memory) => memory.agent))];
  const isFiltered = Boolean(ofUser || agent);
  return (
    <>
      <PageHeader
        title="Memories"
        description="What agents remember of your end users, from run to run. Only your workspace can read it."
        actions={ofUser && <DeleteOfUser user={ofUser} agent={agent} />}
      />
      <div className="list-tools">
        <TextInput
          type="search"
          aria-label="User"
          placeholder="User, exactly"
          value={user}
          onChange={(event) => set({ user: event.currentTarget.value || undefined, q: undefined })}
        />
        {ofUser && <SearchField label="Words" />}
        <FilterBar
          filters={[
            { label: 'Agent', names: ['agent'], options: agents.map((name) => ({ value: name, label: name })) },
          ]}
        />
      </div>
      <DataTable
        label="Memories"
        columns={COLUMNS}
        from={memories}
        rowKey={({ id }) => id}
        noun="memory"
        empty={
          <EmptyState
            drawing="people"
            title={isFiltered ? 'No matching memories' : 'No memories yet'}
            action={
              !isFiltered && (
                <Button component="a" href="/docs/guides/state" variant="default">
                  How agents remember
                </Button>
              )
            }
          >
            {isFiltered
              ? 'No memory fits these filters.'
              : 'A run with a user lets its agent remember, if the agent’s version has the tools for it.'}
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: Column<Memory>[] = [
  {
    title: 'Memory',
    cell: ({ text, user, agent, updated_at: at }) => (
      <div className="memory-text">
        {text}
        <div className="cell-sub mantine-hidden-from-sm">
          {user} · {agent} · <Ago at={at} />
        </div>
      </div>
    ),
  },
  { title: 'User', visibleFrom: 'sm', cell: ({ user }) => <UserLink user={user} /> },
  {
    title: 'Agent',
    visibleFrom: 'sm',
    cell: ({ agent }) => (
      <span className="cell-cut" title={agent}>
        {agent}
      </span>
    ),
  },
  {
    title: 'Remembered',
    visibleFrom: 'sm',
    cell: ({ run_id: runId, updated_at: at }) => (
      <Anchor component={Link} {...{ to: `/runs/${runId}` }}>
        <Ago at={at} />
      </Anchor>
    ),
  },
  {
    title: 'Expires',
    visibleFrom: 'lg',
    cell: ({ expires_at: at }) => (at ? new Date(at).toLocaleDateString('en-GB', DAY) : 'Never'),
  },
  { title: 'Actions', isTitleHidden: true, isNumber: true, cell: (memory) => <DeleteMemory of={memory} /> },
];

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** Shows the memories of one user. */
function UserLink({ user }: { user: string }) {
  const navigate = useNavigate();
  return (
    <Anchor
      component="button"
      className="cell-cut"
      title={user}
      onClick={() => void navigate(pageAt('/memories', { user }))}
    >
      {user}
    </Anchor>
  );
}
