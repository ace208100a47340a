import type { Column } from '../parts/DataTable.tsx';
import { durationText } from '../parts/figures.tsx';
import { contextOf, priceText } from '../playground/models.ts';
import { speedText } from './modelFacts.ts';
import { kindName } from '../parts/modelKinds.ts';
import { Uptime } from './Uptime.tsx';
import type { ModelRow } from './useModelRows.ts';

export const MODEL_COLUMNS: Column<ModelRow>[] = [
  {
    title: 'Model',
    cell: ({ id, name }) => (
      <span className="model-cell">
        <b>{name}</b> <span className="id">{id}</span>
      </span>
    ),
  },
  { title: 'Kind', visibleFrom: 'md', cell: ({ kind }) => kindName(kind) },
  { title: 'Context', isNumber: true, visibleFrom: 'sm', cell: (row) => contextOf(row) ?? '—' },
  { title: 'Price', isNumber: true, cell: (row) => <span className="nowrap">{priceText(row)}</span> },
  {
    title: 'First token',
    isNumber: true,
    visibleFrom: 'lg',
    cell: ({ measured }) => durationText(measured?.first_byte_ms?.p50),
  },
  { title: 'Throughput', isNumber: true, visibleFrom: 'sm', cell: ({ measured }) => speedText(measured) },
  {
    title: 'Uptime',
    visibleFrom: 'sm',
    cell: ({ measured }) => Uptime({ of: measured }),
  },
];
