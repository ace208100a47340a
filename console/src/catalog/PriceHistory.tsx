import { api } from '../api/client.ts';
import { rowsFrom, useAnswer } from '../api/hooks.ts';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { Amounts } from './Amounts.tsx';
import type { CatalogModel, CatalogPrice } from './shapes.ts';

/** Every price of a model that holds, held or will hold. */
export function PriceHistory({ model }: { model: CatalogModel }) {
  const history = useAnswer(['catalog', 'history', model.id], (signal) =>
    api.GET('/console/v1/catalog/models/{catalog_model}/prices', {
      params: { path: { catalog_model: model.id } },
      signal,
    }),
  );
  return (
    <Panel title="Prices" description="A call costs what held when it started. No price is ever deleted.">
      <DataTable
        label="Prices"
        isStacked
        columns={columnsOf(model.price?.id)}
        from={rowsFrom(history, history.data?.data)}
        rowKey={({ id }) => id}
        empty="It has no price yet: propose one."
      />
    </Panel>
  );
}

const columnsOf = (presentId: string | undefined): Column<CatalogPrice>[] => [
  { title: 'Holds from', cell: ({ valid_from: from }) => <DateTime at={from} /> },
  { title: 'Price', cell: (row) => Amounts({ of: row.usd_per_million }) },
  {
    title: 'State',
    cell: ({ id, valid_from: from }) => {
      if (id === presentId) return <Status tone="good" word="Holds" />;
      const isToCome = from !== null && Date.parse(from) > Date.now();
      return isToCome ? <Status tone="busy" word="To come" /> : <Status tone="quiet" word="Ended" />;
    },
  },
  {
    title: 'Set by',
    visibleFrom: 'sm',
    cell: ({ source, is_first: isFirst, proposed_by: by, decided_by: second }) =>
      source === 'file' ? 'The file' : isFirst ? `${by}, the first price` : `${by}, approved by ${second}`,
  },
  { title: 'Reason', visibleFrom: 'md', cell: ({ reason }) => <span className="cell-short">{reason ?? '—'}</span> },
];
