import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { isMissing, sentenceOf } from '../api/failure.ts';
import { Announced } from './Announced.tsx';
import type { Column, Rows, TableProps } from './table.ts';
import { Total } from './totals.tsx';
import { useWidth } from './useWidth.ts';
import { useSeen } from './useSeen.ts';
import { amountIn, classOf, digitsIn, TableBody } from './TableBody.tsx';
import { CHUNK_ROWS, useSteadyColumns } from './useVisibleChunks.ts';

export type { Column, Rows } from './table.ts';

/**
 * A table with its four states. Loading rows are as high as real ones, so that nothing jumps; later pages load when its end comes near.
 * Its cells are plain elements: a page of rows made of components takes ten times as long to draw.
 */
export function DataTable<Row extends object>(props: TableProps<Row>) {
  return (
    <div>
      <Announced {...props} />
      <Content {...props} />
    </div>
  );
}

function Content<Row extends object>(props: TableProps<Row>) {
  const { label, columns, from, empty, isStacked = false } = props;
  const { rows, error, isLoading, isOld, retry } = from;
  const region = useWidth(rows?.length);
  const isLong = rows !== undefined && rows.length > CHUNK_ROWS;
  useSteadyColumns(region, isLong);
  // Rows that stay the same keep their digits: a change of columns alone is one of their number.
  const digits = useMemo(() => columns.map((column) => digitsIn(column, rows ?? [])), [rows, columns.length]);
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
    <>
      <div
        ref={region}
        className="table-region is-page"
        role="group"
        aria-label={label}
        tabIndex={0}
        aria-busy={isLoading}
        data-old={isOld || undefined}
      >
        <table className={`table ${isStacked ? 'table-stacked' : ''}`} aria-rowcount={isLong ? -1 : undefined}>
          <Head columns={columns} />
          <TableBody {...props} digits={digits} />
          <Foot {...props} digits={digits} />
        </table>
      </div>
      <More from={from} />
    </>
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

function Foot<Row>({
  columns,
  from: { rows, hasMore },
  noun,
  digits,
}: TableProps<Row> & { digits: (number | undefined)[] }) {
  const hasFoot = columns.some((column) => column.foot !== undefined || (column.usd && column.sum !== undefined));
  if (!hasFoot && noun === undefined) return null;
  return (
    <tfoot>
      <tr>
        {columns.map((column, at) => (
          <td key={column.title} className={classOf(column)}>
            {at === 0 && noun !== undefined && <Total count={rows?.length} of={noun} hasMore={hasMore} />}
            {column.usd && column.sum !== undefined ? amountIn(column, column.sum, digits[at]!) : column.foot}
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

/** In the place of something that could not be read. */
export function TableFailure({ error, retry }: { error: Error; retry?: () => void }) {
  // Another try that fails has another error.
  const [tried, setTried] = useState<Error>();
  const tryAgain = () => {
    setTried(error);
    retry?.();
  };
  return (
    <Alert color="red" title={isMissing(error) ? 'Not found' : 'This could not be loaded'}>
      <Stack gap="xs" align="flex-start">
        {sentenceOf(error)}
        {retry && !isMissing(error) && (
          <Button size="xs" variant="default" loading={tried === error} onClick={tryAgain}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
