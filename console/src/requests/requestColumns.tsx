import { ReaderIcon } from '@radix-ui/react-icons';
import type { RequestRow } from '../api/shapes.ts';
import { cut } from '../parts/TableBody.tsx';
import type { Column } from '../parts/DataTable.tsx';
import { Ago, countText, durationText } from '../parts/figures.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { unitsText } from './units.ts';

/** The columns of the log; each row leads to its call: see `requestPath`. */
export const REQUEST_COLUMNS: Column<RequestRow>[] = [
  {
    // The list goes by the end of calls, and so do its filters.
    title: 'Ended',
    cell: ({ model, settled_at: at }) => (
      <>
        <Ago at={at} />
        <div className="cell-sub is-name mantine-hidden-from-sm">{model ?? 'No model'}</div>
      </>
    ),
  },
  {
    title: 'Status',
    cell: (request) => (
      <span className="nowrap">
        <StatusBadge of={request} />
        {request.has_content && <HasContent />}
        {request.calls > 1 && <span className="number"> × {countText(request.calls)}</span>}
        {request.error && (
          <span className="cell-note is-tight" title={request.error.message}>
            {request.error.code}
          </span>
        )}
      </span>
    ),
  },
  { title: 'Model', visibleFrom: 'sm', cell: ({ model }) => cut(model ?? '—', 'is-filling') },
  { title: 'Route', visibleFrom: 'xl', cell: ({ route }) => cut(route, 'id is-tight') },
  {
    title: 'Key',
    visibleFrom: 'lg',
    cell: ({ key_name: name, key_prefix: prefix }) => cut(name ?? prefix ?? '—', 'is-tight'),
  },
  { title: 'Units', isNumber: true, visibleFrom: 'sm', cell: ({ usage }) => unitsText(usage) },
  { title: 'Latency', isNumber: true, visibleFrom: 'sm', cell: ({ duration_ms: ms }) => durationText(ms) },
  { title: 'Cost', usd: ({ cost_usd: usd }) => usd },
];

/** The prompt and the answer are kept. */
const HasContent = () => (
  <span className="cell-mark" title="Prompt and answer are kept">
    <ReaderIcon width={13} height={13} aria-hidden />
    <span className="for-readers">Prompt and answer are kept</span>
  </span>
);

/** The columns, with the project where there are several: their names by id. */
export function requestColumns(projects: ReadonlyMap<string, string>): Column<RequestRow>[] {
  if (projects.size === 0) return REQUEST_COLUMNS;
  const at = REQUEST_COLUMNS.findIndex(({ title }) => title === 'Units');
  const column: Column<RequestRow> = {
    title: 'Project',
    visibleFrom: 'xl',
    cell: ({ project_id: id }) => cut(projects.get(id) ?? id, 'is-tight'),
  };
  return REQUEST_COLUMNS.toSpliced(at, 0, column);
}

export const requestPath = ({ id }: { id: string }): string => `/requests/${id}`;
