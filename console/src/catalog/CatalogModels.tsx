import './catalog.css';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { rowsFrom, useAnswer } from '../api/hooks.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { hasWords } from '../parts/hasWords.ts';
import { pageAt } from '../parts/pageAt.ts';
import { Status, type Tone } from '../parts/Status.tsx';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Amounts } from './Amounts.tsx';
import { NewModelDialog } from './NewModelDialog.tsx';
import { AgentModelLine } from '../starters/AgentModelLine.tsx';
import type { CatalogModel } from './shapes.ts';
import { SourceCell } from './Source.tsx';

const ROWS = 100;

/** Every model of the catalogue, with its price, what remains of it, and where it comes from. */
export default function CatalogModels() {
  const [{ q = '' }] = useSearchState();
  const [limit, setLimit] = useState(ROWS);
  const [isAdding, setAdding] = useState(false);
  const navigate = useNavigate();
  const models = useAnswer(['catalog', 'models'], (signal) => api.GET('/console/v1/catalog/models', { signal }));
  const chosen = models.data?.data.filter((model) =>
    hasWords([model.id, model.kind, ...model.upstreams.map(({ upstream }) => upstream)].join(' '), q),
  );
  return (
    <>
      <AgentModelLine />
      <div className="catalog-tools">
        <SearchField label="Search models and upstreams" />
        <Button onClick={() => setAdding(true)}>Add model</Button>
      </div>
      <DataTable
        label="Models of the catalogue"
        columns={COLUMNS}
        from={{
          ...rowsFrom(models, chosen?.slice(0, limit)),
          hasMore: (chosen?.length ?? 0) > limit,
          loadMore: () => setLimit(limit + ROWS),
        }}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/operate/models/${encodeURIComponent(id)}`}
        noun="model"
        empty="No matching models."
      />
      <NewModelDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onAdded={(id) => void navigate(pageAt(`/operate/models/${encodeURIComponent(id)}`))}
      />
    </>
  );
}

const STATES: Record<CatalogModel['state'], { tone: Tone; word: string }> = {
  sold: { tone: 'good', word: 'Sold' },
  disabled: { tone: 'quiet', word: 'Disabled' },
  unpriced: { tone: 'held', word: 'No price yet' },
};

export function ModelState({ of }: { of: CatalogModel }) {
  const { state, problem } = of;
  if (problem) return <Status tone="bad" word="Change not applied" title={problem} />;
  return <Status {...STATES[state]} />;
}

/** The first upstream's margin: that is where calls go. */
const marginText = ({ upstreams }: CatalogModel): string => percentText(upstreams[0]?.margin_percentage);

export const percentText = (percentage: number | null | undefined): string =>
  percentage === null || percentage === undefined ? '—' : `${String(percentage).replace('-', '−')}%`;

function healthOf({ upstreams }: CatalogModel) {
  const tried = upstreams.filter(({ is_disabled: isDisabled }) => !isDisabled);
  const down = tried.filter(({ is_healthy: isHealthy }) => !isHealthy).map(({ upstream }) => upstream);
  if (upstreams.length === 0) return '—';
  if (down.length > 0) return <Status tone="bad" word={`${down.join(', ')} down`} />;
  return <Status tone="good" word={tried.map(({ upstream }) => upstream).join(', ')} />;
}

const COLUMNS: Column<CatalogModel>[] = [
  { title: 'Model', cell: ({ id }) => <b className="nowrap">{id}</b> },
  { title: 'State', cell: (row) => ModelState({ of: row }) },
  { title: 'Price', visibleFrom: 'sm', cell: ({ price }) => Amounts({ of: price?.usd_per_million }) },
  {
    title: 'Waits',
    visibleFrom: 'lg',
    cell: ({ pending_prices: pending, next_price: next }) =>
      pending > 0 ? (
        <Status tone="held" word="Price to approve" />
      ) : next ? (
        <Status tone="busy" word="Price to come" />
      ) : (
        '—'
      ),
  },
  { title: 'Margin', isNumber: true, cell: marginText },
  { title: 'Upstreams', visibleFrom: 'md', cell: healthOf },
  { title: 'Source', visibleFrom: 'lg', cell: (row) => SourceCell({ of: row }) },
];
