import { Skeleton } from '@mantine/core';
import { useRef, type MouseEvent, type ReactNode } from 'react';
import { digitsOf, exactDigitsOf, Money } from './Money.tsx';
import type { Usd } from './nanos.ts';
import { digitsBeside } from './precision.ts';
import { RowLink } from './RowLink.tsx';
import type { Column, TableProps } from './table.ts';
import { CHUNK_ROWS, useVisibleChunks } from './useVisibleChunks.ts';

const SKELETON_ROWS = 8;
const MINUTE_MS = 60_000;

type Digits = (number | undefined)[];
type Props<Row> = TableProps<Row> & { digits: Digits };

/** The rows of a table, in pieces: of a long one only those near the window are drawn. */
export function TableBody<Row extends object>(props: Props<Row>) {
  const {
    columns,
    from: { rows },
    rowTo,
  } = props;
  const { ref, isShown, heightOf } = useVisibleChunks();
  const elementOf = useRowElements(props);
  if (!rows) return <Pending columns={columns} />;
  const count = Math.max(1, Math.ceil(rows.length / CHUNK_ROWS));
  return Array.from({ length: count }, (_, at) => {
    const start = at * CHUNK_ROWS;
    const chunk = rows.slice(start, start + CHUNK_ROWS);
    return (
      <tbody key={at} ref={ref} data-at={at} onClick={rowTo && followRow}>
        {count === 1 || isShown(at) ? (
          chunk.map((row, index) => elementOf(row, count > 1 ? start + index : undefined))
        ) : (
          <tr className="row-space" aria-hidden>
            <td colSpan={columns.length} style={{ height: heightOf(at, chunk.length) }} />
          </tr>
        )}
      </tbody>
    );
  });
}

interface Made {
  place: number | undefined;
  element: ReactNode;
}

/** Makes the elements of rows. The same row keeps its element for at most a minute, so that React passes it over. */
function useRowElements<Row extends object>(props: Props<Row>) {
  const made = useRef<{ props: Props<Row>; minute: number; elements: WeakMap<Row, Made> }>(undefined);
  const minute = Math.floor(Date.now() / MINUTE_MS);
  if (made.current?.minute !== minute || !isSame(made.current.props, props))
    made.current = { props, minute, elements: new WeakMap() };
  const { elements } = made.current;
  return (row: Row, place: number | undefined): ReactNode => {
    const known = elements.get(row);
    if (known && known.place === place) return known.element;
    const element = elementOf(props, row, place);
    elements.set(row, { place, element });
    return element;
  };
}

const isLong = ({ rows }: { rows: unknown[] | undefined }) => rows !== undefined && rows.length > CHUNK_ROWS;

/** Whether rows look the same with both. */
function isSame<Row>(one: Props<Row>, other: Props<Row>): boolean {
  return (
    one.rowTo === other.rowTo &&
    isLong(one.from) === isLong(other.from) &&
    one.digits.length === other.digits.length &&
    one.digits.every((digits, at) => digits === other.digits[at]) &&
    one.columns.every(({ cell, usd }, at) => cell === other.columns[at]!.cell && usd === other.columns[at]!.usd)
  );
}

/** `place`: that of a row in a list that is not drawn as a whole. */
function elementOf<Row>(
  { columns, digits, rowKey, rowTo }: Props<Row>,
  row: Row,
  place: number | undefined,
): ReactNode {
  const to = rowTo?.(row);
  return (
    // The head is the first row.
    <tr key={rowKey(row)} aria-rowindex={place === undefined ? undefined : place + 2}>
      {columns.map((column, at) => {
        const cell = column.usd ? amountIn(column, column.usd(row), digits[at]!) : column.cell(row);
        return (
          <td key={column.title} className={classOf(column)} data-title={titleOf(column)}>
            {to && at === 0 ? <RowLink to={to}>{cell}</RowLink> : cell}
          </td>
        );
      })}
    </tr>
  );
}

function Pending<Row>({ columns }: { columns: Column<Row>[] }) {
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

/** A text that is cut off at its end where its column is too narrow, whole on hover. `width`: a class of its width, such as `is-tight`. */
export const cut = (text: string, width = ''): ReactNode => (
  <span className={`cell-cut ${width}`} title={text} dir="auto">
    {text}
  </span>
);

/** An amount or the sum of a column with the column's digits. */
export const amountIn = (
  { isExact, hasSign }: { isExact?: boolean; hasSign?: boolean },
  usd: Usd | null | undefined,
  digits: number,
): ReactNode => Money({ usd, digits: isExact ? digits : digitsBeside(usd, digits), hasSign });

/** The digits that a column of amounts shows. */
export function digitsIn<Row>(column: Column<Row>, rows: Row[]): number | undefined {
  if (!column.usd) return undefined;
  return (column.isExact ? exactDigitsOf : digitsOf)(rows.map(column.usd));
}

/** What shows its exact value on hover lies above the row's link: a click there follows the link too. */
function followRow({ target }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.closest('a, button, input, label, summary')) return;
  if (getSelection()?.isCollapsed === false) return;
  target.closest('tr')?.querySelector<HTMLAnchorElement>('a.row-link')?.click();
}

type Kind = Pick<Column<never>, 'isNumber' | 'visibleFrom' | 'isTitleHidden'> & { usd?: unknown };

export const classOf = ({ isNumber, visibleFrom, isTitleHidden, usd }: Kind) =>
  [
    (isNumber || usd) && 'is-end number',
    isTitleHidden && 'is-kept',
    visibleFrom && `mantine-visible-from-${visibleFrom}`,
  ]
    .filter(Boolean)
    .join(' ') || undefined;

const titleOf = ({ title, isTitleHidden }: { title: string; isTitleHidden?: boolean }) =>
  isTitleHidden ? undefined : title;
