import { Alert, Button, Loader, Skeleton, Stack, Text } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { isMissing, sentenceOf } from '../api/failure.ts';
import { digitsOf, exactDigitsOf, Money } from './Money.tsx';
import { RowLink } from './RowLink.tsx';
import { Total } from './totals.tsx';
import { useWidth } from './useWidth.ts';
import { useSeen } from './useSeen.ts';

interface BaseColumn {
  title: string;
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
  /** Left out on narrow screens. */
  visibleFrom?: 'sm' | 'md' | 'lg' | 'xl';
  /** Named for screen readers alone: a column of buttons. */
  isTitleHidden?: boolean;
  /** Stands below the rows: a count, a sum. */
  foot?: ReactNode;
}

type Amount = number | null | undefined;

/** A column of cells, or of amounts in US dollars that share one precision with their sum. */
export type Column<Row> = BaseColumn &
  (
    | { cell: (row: Row) => ReactNode; usd?: undefined }
    | {
        usd: (row: Row) => Amount;
        sum?: number;
        hasSign?: boolean;
        /** With all digits: for records, where rounded amounts would not add up. */
        isExact?: boolean;
        cell?: undefined;
      }
  );

/** Rows that come page by page (`usePages`), or all at once. */
export interface Rows<Row> {
  rows: Row[] | undefined;
  error: Error | null;
  isLoading: boolean;
  hasMore?: boolean;
  isLoadingMore?: boolean;
  loadMore?: () => void;
  retry?: () => void;
}

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  from: Rows<Row>;
  rowKey: (row: Row) => string;
  /** What a row is: how many there are stands below the first column. */
  noun?: string;
  /** What stands in its place without rows: a sentence, or an `EmptyState`. */
  empty: ReactNode;
  /** Where a row leads: its first cell is the link, and the whole row follows it. */
  rowTo?: (row: Row) => string | undefined;
  /** On a phone each row is a list of names and values, for rows that are wider than it. */
  isStacked?: boolean;
}

const SKELETON_ROWS = 8;

/**
 * A table with its four states. Loading rows are as high as real ones, so that nothing jumps; later pages load when its end comes near.
 * Its cells are plain elements: a page of rows made of components takes ten times as long to draw.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, from, empty, isStacked = false } = props;
  const { rows, error, isLoading, retry } = from;
  const region = useWidth(rows?.length);
  if (error && !rows) return <TableFailure error={error} retry={retry} />;
  if (rows?.length === 0) {
    return (
      <div className="panel">
        {typeof empty === 'string' ? (
          <Text c="dimmed" size="sm" ta="center" p="xl">
            {empty}
          </Text>
        ) : (
          empty
        )}
      </div>
    );
  }
  return (
    <div>
      <div
        ref={region}
        className="table-region is-page"
        role="group"
        aria-label={label}
        tabIndex={0}
        aria-busy={isLoading}
      >
        <table className={`table ${isStacked ? 'table-stacked' : ''}`}>
          <Head columns={props.columns} />
          <Body {...props} />
          <Foot {...props} />
        </table>
      </div>
      <More from={from} />
    </div>
  );
}

function Head<Row>({ columns }: { columns: Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.title} className={classOf(column)} scope="col">
            {column.isTitleHidden ? <span className="for-readers">{column.title}</span> : column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Body<Row>({ columns, from: { rows }, rowKey, rowTo }: Props<Row>) {
  if (!rows) {
    return (
      <tbody>
        {Array.from({ length: SKELETON_ROWS }, (_, at) => (
          <tr key={at}>
            {columns.map((column) => (
              <td key={column.title} className={classOf(column)}>
                <Skeleton height={14} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    );
  }
  const digits = columns.map((column) => digitsIn(column, rows));
  return (
    <tbody onClick={rowTo && followRow}>
      {rows.map((row) => {
        const to = rowTo?.(row);
        return (
          <tr key={rowKey(row)}>
            {columns.map((column, at) => {
              const cell = column.usd
                ? Money({ usd: column.usd(row), digits: digits[at], hasSign: column.hasSign })
                : column.cell(row);
              return (
                <td key={column.title} className={classOf(column)} data-title={titleOf(column)}>
                  {to && at === 0 ? <RowLink to={to}>{cell}</RowLink> : cell}
                </td>
              );
            })}
          </tr>
        );
      })}
    </tbody>
  );
}

/** The digits that a column of amounts shows. */
function digitsIn<Row>(column: Column<Row>, rows: Row[]): number | undefined {
  if (!column.usd) return undefined;
  return (column.isExact ? exactDigitsOf : digitsOf)(rows.map(column.usd));
}

/** What shows its exact value on hover lies above the row's link: a click there follows the link too. */
function followRow({ target }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.closest('a, button, input, label, summary')) return;
  if (getSelection()?.isCollapsed === false) return;
  target.closest('tr')?.querySelector<HTMLAnchorElement>('a.row-link')?.click();
}

function Foot<Row>({ columns, from: { rows, hasMore }, noun }: Props<Row>) {
  const hasFoot = columns.some((column) => column.foot !== undefined || (column.usd && column.sum !== undefined));
  if (!hasFoot && noun === undefined) return null;
  return (
    <tfoot>
      <tr>
        {columns.map((column, at) => (
          <td key={column.title} className={classOf(column)}>
            {at === 0 && noun !== undefined && <Total count={rows?.length} of={noun} hasMore={hasMore} />}
            {column.usd && column.sum !== undefined
              ? Money({ usd: column.sum, digits: digitsIn(column, rows ?? []), hasSign: column.hasSign })
              : column.foot}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** The end of the rows: the next page is asked for shortly before it comes into view. */
function More<Row>({ from: { rows, hasMore, isLoadingMore, loadMore, error } }: { from: Rows<Row> }) {
  const end = useSeen(() => hasMore && !isLoadingMore && !error && loadMore?.(), rows?.length);
  if (!rows || (!hasMore && !error)) return null;
  return (
    <div ref={end} className="table-note" role="status">
      {error ? (
        <>
          {sentenceOf(error)}
          <Button size="xs" variant="default" onClick={loadMore}>
            Try again
          </Button>
        </>
      ) : (
        isLoadingMore && <Loader size="xs" aria-label="More rows are loading" />
      )}
    </div>
  );
}

type Kind = Pick<BaseColumn, 'isNumber' | 'visibleFrom' | 'isTitleHidden'> & { usd?: unknown };

const classOf = ({ isNumber, visibleFrom, isTitleHidden, usd }: Kind) =>
  [
    (isNumber || usd) && 'is-end number',
    isTitleHidden && 'is-kept',
    visibleFrom && `mantine-visible-from-${visibleFrom}`,
  ]
    .filter(Boolean)
    .join(' ') || undefined;

const titleOf = ({ title, isTitleHidden }: { title: string; isTitleHidden?: boolean }) =>
  isTitleHidden ? undefined : title;

/** In the place of something that could not be read. */
export function TableFailure({ error, retry }: { error: Error; retry?: () => void }) {
  return (
    <Alert color="red" title={isMissing(error) ? 'Not found' : 'This could not be loaded'}>
      <Stack gap="xs" align="flex-start">
        {sentenceOf(error)}
        {retry && !isMissing(error) && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
