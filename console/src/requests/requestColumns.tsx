import type { RequestRow } from '../api/shapes.ts';
import type { Column } from '../parts/DataTable.tsx';
import { Ago, countText, durationText } from '../parts/figures.tsx';
import { StatusBadge } from './StatusBadge.tsx';

/** The columns of the log; each row leads to its call: see `requestPath`. */
export const REQUEST_COLUMNS: Column<RequestRow>[] = [
  {
    title: 'Time',
    cell: ({ model, started_at: at }) => (
      <>
        <Ago at={at} />
        <div className="cell-sub mantine-hidden-from-sm">{model ?? 'No model'}</div>
      </>
    ),
  },
  {
    title: 'Status',
    cell: (request) => (
      <>
        <StatusBadge of={request} />
        {request.calls > 1 && <span className="number"> × {countText(request.calls)}</span>}
        {request.error && (
          <div className="cell-sub" title={request.error.message}>
            {request.error.code}
          </div>
        )}
      </>
    ),
  },
  { title: 'Model', visibleFrom: 'sm', cell: ({ model }) => <span className="cell-cut">{model ?? '—'}</span> },
  { title: 'Route', visibleFrom: 'lg', cell: ({ route }) => <span className="id cell-cut">{route}</span> },
  {
    title: 'Key',
    visibleFrom: 'md',
    cell: ({ key_name: name, key_prefix: prefix }) => <span className="cell-cut">{name ?? prefix ?? '—'}</span>,
  },
  { title: 'Units', isNumber: true, visibleFrom: 'sm', cell: ({ usage }) => unitsText(usage) },
  { title: 'Latency', isNumber: true, visibleFrom: 'sm', cell: ({ duration_ms: ms }) => durationText(ms) },
  { title: 'Cost', usd: ({ cost_usd: usd }) => usd },
];

export const requestPath = ({ id }: { id: string }): string => `/requests/${id}`;

/** `8 in / 68 out`, or the quantities of other units. */
function unitsText(usage: RequestRow['usage']): string {
  const of = (pattern: RegExp) => {
    const found = usage.filter(({ unit }) => pattern.test(unit));
    return found.length === 0 ? undefined : found.reduce((sum, { quantity }) => sum + quantity, 0);
  };
  // Cached tokens, and those that are written to the cache, are input too; tokens of reasoning are within the output.
  const [input, output] = [of(/input.*tokens/), of(/^output_tokens$/)];
  if (input !== undefined || output !== undefined) {
    return [input !== undefined && `${countText(input)} in`, output !== undefined && `${countText(output)} out`]
      .filter(Boolean)
      .join(' / ');
  }
  const rest = usage.filter(({ unit }) => !/cached|reasoning/.test(unit));
  return rest.map(({ quantity, unit }) => `${countText(quantity)} ${unit.replaceAll('_', ' ')}`).join(', ') || '—';
}
