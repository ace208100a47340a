import { Button } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../api/openapi.d.ts';
import { DataTable, type Column } from '../../parts/DataTable.tsx';
import { centsText, Count } from '../../parts/figures.tsx';
import { Money } from '../../parts/Money.tsx';
import { productName } from '../../parts/productNames.ts';
import { countOf } from '../../parts/totals.tsx';
import { useSearchState } from '../../parts/useSearchState.ts';
import { Change } from '../../usage/Change.tsx';
import { Segments } from '../../usage/Segments.tsx';

type RevenueAnswer = components['schemas']['Revenue'];
type Model = RevenueAnswer['models'][number];
type Product = RevenueAnswer['products'][number];

const BY = [
  { value: 'model', label: 'By model' },
  { value: 'product', label: 'By product' },
];

/** Revenue by what was sold, with the margin of each model where its cost is stated. */
export function RevenueTable({ revenue }: { revenue: RevenueAnswer | undefined }) {
  const [{ by = 'model' }, setSearch] = useSearchState();
  return (
    <div>
      <div className="revenue-by">
        <Segments
          label="Revenue by"
          options={BY}
          value={by}
          onChange={(value) => setSearch({ by: value === 'model' ? undefined : value })}
        />
      </div>
      {by === 'product' ? <Products revenue={revenue} /> : <Models revenue={revenue} />}
    </div>
  );
}

const FIRST = 10;

function Models({ revenue }: { revenue: RevenueAnswer | undefined }) {
  const [isWhole, setWhole] = useState(false);
  const models = revenue?.models;
  const others = isWhole ? (revenue?.others.models ?? 0) : 0;
  return (
    <>
      <DataTable<Model>
        label="Revenue by model"
        isStacked
        columns={MODELS}
        from={{ rows: isWhole ? models : models?.slice(0, FIRST), error: null, isLoading: revenue === undefined }}
        rowKey={({ product, model }) => `${product} ${model}`}
        empty="Nothing was sold in this period."
      />
      {!isWhole && models && models.length > FIRST && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(true)}>
          Show all {countOf(models.length, 'model')}
        </Button>
      )}
      {others > 0 && (
        <p className="places-note">
          {countOf(others, 'more model')} with {centsText(revenue!.others.charged_usd)} together.
        </p>
      )}
    </>
  );
}

const MODELS: Column<Model>[] = [
  {
    title: 'Model',
    cell: ({ model, product }) => (
      <>
        <div className="cell-name">{model}</div>
        <div className="cell-sub">{productName(product)}</div>
      </>
    ),
  },
  { title: 'Calls', isNumber: true, visibleFrom: 'sm', cell: ({ calls }) => <Count value={calls} /> },
  { title: 'Charged', usd: ({ charged_usd: usd }) => usd },
  {
    title: 'Change',
    isNumber: true,
    cell: ({ charged_usd: now, charged_before_usd: before }) => <Change now={now} before={before} />,
  },
  {
    title: 'Upstreams',
    visibleFrom: 'md',
    cell: ({ upstreams }) => {
      const names = upstreams.map(({ upstream }) => upstream).filter((name) => name !== null);
      return (
        <span className="cell-cut" title={names.join(', ')}>
          {names.join(', ') || '—'}
        </span>
      );
    },
  },
  {
    title: 'Cost',
    isNumber: true,
    cell: ({ cost_usd: usd, uncosted_usd: uncosted }) =>
      usd === null ? (
        <span className="revenue-none">No cost stated</span>
      ) : (
        <span title={uncosted > 0 ? `None stated for ${centsText(uncosted)}` : undefined}>
          <Money usd={usd} isRounded />
          {uncosted > 0 && ' *'}
        </span>
      ),
  },
  { title: 'Margin', isNumber: true, cell: (row) => <Margin row={row} /> },
];

/** A share of what was charged in whole percents, with a true minus. */
const percentText = (share: number): string => `${String(Math.round(share * 100)).replace('-', '−')}%`;

/** What is left of what was charged at the upstreams with a cost, and its share. */
function Margin({ row: { margin_usd: usd, charged_usd: charged, uncosted_usd: uncosted } }: { row: Model }) {
  if (usd === null) return '—';
  const costed = charged - uncosted;
  return (
    <span className={usd < 0 ? 'text-bad' : undefined}>
      <Money usd={usd} isRounded />
      {costed > 0 && <span className="revenue-share">{percentText(usd / costed)}</span>}
    </span>
  );
}

function Products({ revenue }: { revenue: RevenueAnswer | undefined }) {
  return (
    <DataTable<Product>
      label="Revenue by product"
      columns={PRODUCTS}
      from={{ rows: revenue?.products, error: null, isLoading: revenue === undefined }}
      rowKey={({ product }) => product}
      empty="Nothing was sold in this period."
    />
  );
}

const PRODUCTS: Column<Product>[] = [
  { title: 'Product', cell: ({ product }) => <b>{productName(product)}</b> },
  { title: 'Calls', isNumber: true, visibleFrom: 'sm', cell: ({ calls }) => <Count value={calls} /> },
  { title: 'Charged', usd: ({ charged_usd: usd }) => usd },
  {
    title: 'Change',
    isNumber: true,
    cell: ({ charged_usd: now, charged_before_usd: before }) => <Change now={now} before={before} />,
  },
];
