import './agents.css';
import { Button, Loader, Select, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { api } from '../api/client.ts';
import { usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { ChoiceChips } from '../parts/ChoiceChips.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { useSeen } from '../parts/useSeen.ts';
import { AgentCard } from './AgentCard.tsx';
import { CATEGORIES } from './names.ts';

type Agent = components['schemas']['Agent'];
type Sort = 'newest' | 'popular' | 'price' | 'name';

const SORTS: { value: Sort; label: string }[] = [
  { value: 'popular', label: 'Most used' },
  { value: 'newest', label: 'Newest' },
  { value: 'price', label: 'Lowest price' },
  { value: 'name', label: 'Name' },
];
const PRICES = ['0.1', '0.5', '1', '5'].map((value) => ({ value, label: `Up to $${Number(value).toFixed(2)}` }));

export default function AgentsPage() {
  const [{ q, category, price, sort = 'popular' }, setSearch] = useSearchState();
  const [words] = useDebouncedValue(q ?? '', 200);
  const query = {
    ...(words.trim() && { search: words.trim() }),
    ...(category && { category }),
    ...(price && { max_cost_usd: Number(price) }),
    sort: sort as Sort,
  };
  const agents = usePages<Agent>(['agents', query], (cursor, signal) =>
    api.GET('/v1/agents', { params: { query: { ...query, limit: 24, cursor } }, signal }),
  );
  const end = useSeen(() => agents.hasMore && !agents.isLoadingMore && agents.loadMore(), agents.rows?.length);
  const isFiltered = Boolean(words.trim() || category || price);
  return (
    <>
      <PageHeader
        title="Agents"
        description="Published agents, ready to run. Each run has a limit on its cost, and a failed one is free."
      />
      <Toolbar categories={(agents.rows ?? []).flatMap((agent) => agent.categories)} />
      {agents.error && !agents.rows && <TableFailure error={agents.error} retry={agents.retry} />}
      {agents.rows?.length === 0 && (
        <div className="panel">
          <EmptyState
            drawing="run"
            title={isFiltered ? 'No matching agents' : 'No agents yet'}
            action={
              isFiltered && (
                <Button variant="default" onClick={() => setSearch({ q: '', category: '', price: '' })}>
                  Clear filters
                </Button>
              )
            }
          >
            {isFiltered
              ? 'Try other words, or fewer filters.'
              : 'Agents appear here when their publishers release them.'}
          </EmptyState>
        </div>
      )}
      <ul className="agent-cards">
        {agents.rows?.map((agent) => (
          <AgentCard key={agent.id} agent={agent} />
        ))}
        {agents.isLoading &&
          Array.from({ length: 6 }, (_, at) => <Skeleton key={at} component="li" height={172} radius="md" />)}
      </ul>
      {agents.hasMore && (
        <div ref={end} className="table-note" role="status">
          {agents.isLoadingMore && <Loader size="xs" aria-label="More agents are loading" />}
        </div>
      )}
    </>
  );
}

/** Search, categories, price and order, kept in the address. */
function Toolbar({ categories }: { categories: string[] }) {
  const [{ category, price, sort = 'popular' }, setSearch] = useSearchState();
  // The suggested ones keep their places when the others come with the agents.
  const others = [...(category ? [category] : []), ...categories].toSorted();
  const names = [...new Set([...CATEGORIES, ...others])];
  return (
    <div className="agent-tools">
      <SearchField label="Search agents" />
      <div className="agent-tools-end">
        <Select
          aria-label="Max price of a run"
          placeholder="Any price"
          clearable
          data={PRICES}
          value={price ?? null}
          onChange={(value) => setSearch({ price: value ?? '' })}
          clearButtonProps={{ 'aria-label': 'Any price' }}
        />
        <Select
          aria-label="Order"
          allowDeselect={false}
          data={SORTS}
          value={sort}
          onChange={(value) => setSearch({ sort: value === 'popular' ? '' : (value ?? '') })}
        />
      </div>
      <ChoiceChips
        label="Category"
        options={names.map((name) => ({ value: name, label: name }))}
        value={category ?? ''}
        onChange={(value) => setSearch({ category: value })}
      />
    </div>
  );
}
