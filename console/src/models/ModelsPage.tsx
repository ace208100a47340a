import './models.css';
import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { ChoiceChips } from '../parts/ChoiceChips.tsx';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { MODEL_COLUMNS } from './modelColumns.tsx';
import { MODEL_KINDS } from '../parts/modelKinds.ts';
import { chooseModels, ORDERS } from './modelOrder.ts';
import { useModelRows } from './useModelRows.ts';

/** How many rows more are drawn when the end of the list comes near. */
const ROWS = 100;

/** Every model with its price, and how fast it answered in the last hour. */
export default function ModelsPage() {
  const [{ q = '', kind, order = 'name' }, setSearch] = useSearchState();
  const { rows, ...from } = useModelRows();
  const [limit, setLimit] = useState(ROWS);
  const chosen = rows && chooseModels(rows, { words: q, kind, order });
  return (
    <>
      <PageHeader
        title="Models"
        description="Prices of text are for a million tokens. Speed and uptime are measured over everyone’s calls of the last hour."
      />
      <Tools kinds={rows?.map((row) => row.kind)} />
      <DataTable
        label="Models"
        columns={MODEL_COLUMNS}
        from={{
          ...from,
          rows: chosen?.slice(0, limit),
          hasMore: (chosen?.length ?? 0) > limit,
          loadMore: () => setLimit(limit + ROWS),
        }}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/models/${encodeURIComponent(id)}`}
        noun="model"
        empty={
          <EmptyState
            drawing="signal"
            title="No matching models"
            action={
              <Button variant="default" onClick={() => setSearch({ q: '', kind: '' })}>
                Clear filters
              </Button>
            }
          >
            Try other words, or another kind.
          </EmptyState>
        }
      />
    </>
  );
}

/** Search, kinds and order, kept in the address. */
function Tools({ kinds }: { kinds: string[] | undefined }) {
  const [{ kind = '', order = 'name' }, setSearch] = useSearchState();
  // Before they are known all are shown, because the list below would move when they come.
  const offered = MODEL_KINDS.filter(({ value }) => !kinds || kinds.includes(value) || value === kind);
  return (
    <div className="model-tools">
      <SearchField label="Search models" />
      <Select
        aria-label="Order"
        allowDeselect={false}
        data={ORDERS}
        value={order}
        onChange={(value) => setSearch({ order: value === 'name' ? '' : (value ?? '') })}
      />
      <ChoiceChips label="Kind" options={offered} value={kind} onChange={(value) => setSearch({ kind: value })} />
    </div>
  );
}
