import { Alert, Button, Center, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isMissing, sentenceOf } from '../api/failure.ts';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
  /** Left out on narrow screens. */
  visibleFrom?: 'sm' | 'md' | 'lg';
  /** Named for screen readers alone: a column of buttons. */
  isTitleHidden?: boolean;
}

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

const SKELETON_ROWS = 6;

/**
 * A table with its four states. Loading rows are as high as real ones, so that nothing jumps; a wide table scrolls in its own frame, by
 * keyboard too. Its cells are plain elements: a page of rows made of components takes ten times as long to draw.
 */
export function DataTable<Row>({
  label,
  columns,
  from,
  rowKey,
  empty,
  isStacked = false,
}: {
  label: string;
  columns: Column<Row>[];
  from: Rows<Row>;
  rowKey: (row: Row) => string;
  empty: ReactNode;
  /** On a phone each row is a list of names and values, for rows that are wider than it. */
  isStacked?: boolean;
}) {
  const { rows, error, isLoading, hasMore, isLoadingMore, loadMore, retry } = from;
  if (error && !rows) return <TableFailure error={error} retry={retry} />;
  if (rows?.length === 0) {
    return (
      <Center className="panel" p="xl" mih={160}>
        <Stack align="center" gap="xs" ta="center">
          {typeof empty === 'string' ? <Text c="dimmed">{empty}</Text> : empty}
        </Stack>
      </Center>
    );
  }
  return (
    <Stack gap="sm">
      <div className="table-region" role="group" aria-label={label} tabIndex={0} aria-busy={isLoading}>
        <table className={`table ${isStacked ? 'table-stacked' : ''}`}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} className={classOf(column)} scope="col">
                  {column.isTitleHidden ? <span className="for-readers">{column.title}</span> : column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              ? rows.map((row) => (
                  <tr key={rowKey(row)}>
                    {columns.map((column) => (
                      <td key={column.title} className={classOf(column)} data-title={titleOf(column)}>
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))
              : Array.from({ length: SKELETON_ROWS }, (_, at) => (
                  <tr key={at}>
                    {columns.map((column) => (
                      <td key={column.title} className={classOf(column)}>
                        <Skeleton height={21} />
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      {hasMore && (
        <Center>
          <Button variant="default" onClick={loadMore} loading={isLoadingMore}>
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  );
}

type Kind = Pick<Column<never>, 'isNumber' | 'visibleFrom' | 'isTitleHidden'>;

const classOf = ({ isNumber, visibleFrom, isTitleHidden }: Kind) =>
  [isNumber && 'is-end number', isTitleHidden && 'is-kept', visibleFrom && `mantine-visible-from-${visibleFrom}`]
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
