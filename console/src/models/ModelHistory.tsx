import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Amounts } from '../catalog/Amounts.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { UtcDay } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';

type ModelPrice = components['schemas']['ModelPriceList']['data'][number];

/** What a model has cost and will cost; nothing where it never changed. */
export function ModelHistory({ id }: { id: string }) {
  const history = useAnswer(['models', 'prices', id], (signal) =>
    api.GET('/platform/v1/models/{id}/prices', { params: { path: { id } }, signal }),
  );
  const rows = history.data?.data;
  if (!rows || rows.length < 2) return null;
  return (
    <Panel title="Price history" description="A call costs what held when it started.">
      <DataTable
        label="Price history"
        isStacked
        columns={COLUMNS}
        from={{ rows, error: null, isLoading: false }}
        rowKey={({ valid_from: from }) => from}
        empty="It has had one price."
      />
    </Panel>
  );
}

const COLUMNS: Column<ModelPrice>[] = [
  { title: 'From', cell: ({ valid_from: from }) => <UtcDay at={from} /> },
  { title: 'Price', cell: (row) => Amounts({ of: row.usd_per_million }) },
  {
    title: 'State',
    cell: ({ is_present: isPresent, valid_from: from }) => {
      if (isPresent) return <Status tone="good" word="Now" />;
      return Date.parse(from) > Date.now() ? (
        <Status tone="busy" word="To come" />
      ) : (
        <Status tone="quiet" word="Ended" />
      );
    },
  },
];
