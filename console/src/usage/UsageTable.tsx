import { cut } from '../parts/TableBody.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Dot } from '../parts/chart/HoverCard.tsx';
import { shareText } from '../parts/chart/series.ts';
import { Count, countText } from '../parts/figures.tsx';
import { sumOf } from '../parts/nanos.ts';
import { Change } from './Change.tsx';
import { changeOf, type Line } from './facts.ts';
import { ALL, REQUEST_FILTERS } from './metrics.ts';
import { NoUsage } from './NoUsage.tsx';
import type { Only } from './useReports.ts';
import { usePlaygroundColumn } from './PlaygroundColumn.tsx';
import { colorsOf, type View } from './view.ts';
import { reasonOf } from './why.ts';

const STATUSES: Record<string, object> = { failed: { status: '5xx' }, refused: { status: '4xx' } };

/** The numbers of the picture by name: with the period before, what changed most comes first. */
export function UsageTable({ view, only }: { view: View | undefined; only: Only }) {
  const playground = usePlaygroundColumn(view?.by);
  // The picture says it already.
  if (view?.lines.length === 0) return isNew(view, only) ? <NoUsage /> : null;
  return (
    <DataTable
      label="Usage by name"
      columns={view ? [...columnsOf(view), ...playground] : LOADING}
      from={{ rows: view?.lines, error: null, isLoading: view === undefined }}
      rowKey={({ id }) => id}
      rowTo={view && ((line) => pathOf(view, only, line))}
      empty=""
    />
  );
}

/** Without filters and up to now, there may never have been any. */
const isNew = ({ metric, period }: View, { model, key, project }: Only): boolean =>
  metric.id !== 'errors' && period.openAt !== undefined && !model && !key && !project;

const LOADING: Column<Line>[] = ['Name', 'Requests', 'Share', 'Cost'].map((title, at) => ({
  title,
  isNumber: at > 0,
  cell: () => null,
}));

/** A name leads to its requests, a code to its last call. */
function pathOf({ by, part, period, metric, lastCalls }: View, only: Only, { id }: Line): string | undefined {
  if (lastCalls) return lastCalls.has(id) ? `/requests/${lastCalls.get(id)!.id}` : undefined;
  if (!REQUEST_FILTERS.includes(by) || id === '') return undefined;
  const search = { ...only, from: period.from, to: period.to, zone: 'utc', [by]: id };
  return `/requests?${new URLSearchParams({ ...search, ...(metric.id === 'errors' && STATUSES[part]) })}`;
}

/** Columns that stand only where they fit, or say something. */
const when = (isShown: boolean, ...columns: Column<Line>[]): Column<Line>[] => (isShown ? columns : []);

function columnsOf(view: View): Column<Line>[] {
  const { metric, by, lastCalls, total } = view;
  const isCost = metric.id === 'cost';
  const isSummed = metric.shape !== 'lines';
  const isCompared = view.lines.some(({ before }) => before !== undefined);
  return [
    nameColumn(view),
    ...when((isCost || !isSummed) && by !== ALL, {
      title: 'Requests',
      isNumber: true,
      visibleFrom: 'sm',
      cell: ({ calls }) => <Count value={calls} />,
    }),
    ...when(isCost && !isCompared, {
      title: 'Errors',
      isNumber: true,
      visibleFrom: 'md',
      cell: ({ errors }) => <Count value={errors} />,
    }),
    ...when(lastCalls !== undefined, {
      title: 'Latest message',
      visibleFrom: 'sm',
      cell: ({ id }) => cut(lastCalls?.get(id)?.message ?? '—', 'is-wide'),
    }),
    ...when(isSummed && !isCompared, {
      title: 'Share',
      isNumber: true,
      cell: ({ value }) => shareText(value, total ?? 0),
    }),
    valueColumn(view, { title: metric.name, valueOf: ({ value }) => value, sum: total }),
    ...(isCompared ? comparisonOf(view) : []),
  ];
}

function nameColumn({ metric, by, series, lines }: View): Column<Line> {
  const colorOf = colorsOf(series);
  const title = metric.groups.find(({ value }) => value === by)?.label ?? 'Name';
  const noun = title.toLowerCase() + (lines.length === 1 ? '' : 's');
  return {
    title,
    cell: ({ id, name }) => (
      <span className="cell-dot">
        <Dot color={colorOf(id)} />
        {cut(name)}
      </span>
    ),
    foot: metric.shape === 'lines' ? undefined : `${countText(lines.length)} ${noun}`,
  };
}

/** Amounts share one precision; other values have their own text. */
function valueColumn(
  { metric, lines }: View,
  column: { title: string; valueOf: (line: Line) => number | undefined; sum: number | undefined; visibleFrom?: 'sm' },
): Column<Line> {
  const { valueOf, sum, ...base } = column;
  if (metric.id === 'cost') return { ...base, usd: valueOf, sum };
  const text = metric.textOf(lines.map(valueOf));
  const cell = (line: Line) => {
    const value = valueOf(line);
    return value === undefined ? '—' : text(value);
  };
  return { ...base, isNumber: true, cell, foot: metric.shape === 'lines' || sum === undefined ? undefined : text(sum) };
}

/** The period before: its value, the change, and of costs the reason. */
function comparisonOf(view: View): Column<Line>[] {
  const { metric, lines, total, totalBefore } = view;
  const change = total === undefined || totalBefore === undefined ? undefined : sumOf([total, -totalBefore]);
  const largest = Math.max(...lines.map((line) => Math.abs(changeOf(line))));
  const text = metric.textOf(lines.map(changeOf));
  return [
    valueColumn(view, { title: 'Previous', valueOf: ({ before }) => before, sum: totalBefore, visibleFrom: 'sm' }),
    {
      title: 'Change',
      ...(metric.id === 'cost'
        ? { usd: changeOf, hasSign: true, sum: change }
        : {
            isNumber: true,
            cell: (line: Line) => signed(changeOf(line), text),
            foot: change === undefined || metric.shape === 'lines' ? undefined : signed(change, text),
          }),
    },
    {
      title: 'Change, %',
      visibleFrom: 'sm',
      isNumber: true,
      cell: (line) => (
        <span className="cell-change">
          <Bar change={changeOf(line)} largest={largest} />
          <Change now={line.value} before={line.before} />
        </span>
      ),
      foot: metric.shape === 'lines' ? undefined : <Change now={total} before={totalBefore} />,
    },
    ...when(metric.id === 'cost', {
      title: 'Why',
      visibleFrom: 'lg',
      cell: (line) => <span className="nowrap cell-why">{reasonOf(line)}</span>,
    }),
  ];
}

const signed = (change: number, text: (value: number) => string): string =>
  change === 0 ? '0' : `${change > 0 ? '+' : '−'}${text(Math.abs(change))}`;

const BAR_HALF = 36;

/** The size of a change: to the right what rose, to the left what fell. */
function Bar({ change, largest }: { change: number; largest: number }) {
  const width = largest === 0 ? 0 : (Math.abs(change) / largest) * BAR_HALF;
  return (
    <svg className="change-bar" width={2 * BAR_HALF} height={12} aria-hidden>
      <line x1={BAR_HALF} x2={BAR_HALF} y1={0} y2={12} />
      <rect
        x={change < 0 ? BAR_HALF - width : BAR_HALF}
        y={2}
        width={width}
        height={8}
        rx={2}
        data-falls={change < 0 || undefined}
      />
    </svg>
  );
}
