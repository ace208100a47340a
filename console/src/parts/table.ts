import type { ReactNode } from 'react';
import type { Usd } from './nanos.ts';

export interface BaseColumn {
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

type Amount = Usd | null | undefined;

/** A column of cells, or of amounts in US dollars that share one precision with their sum. */
export type Column<Row> = BaseColumn &
  (
    | { cell: (row: Row) => ReactNode; usd?: undefined }
    | {
        usd: (row: Row) => Amount;
        sum?: Usd;
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
  /** They are those of the filters before: those of the present ones are on their way. */
  isOld?: boolean;
  hasMore?: boolean;
  isLoadingMore?: boolean;
  loadMore?: () => void;
  retry?: () => void;
}

export interface TableProps<Row> {
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
