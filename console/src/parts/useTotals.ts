import type { QueryKey } from '@tanstack/react-query';
import type { Result } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { sumText, type Usd } from './nanos.ts';

/** What stands below a list that loads page by page: how many there are, and what they add up to. */
export interface Totals {
  count: number | undefined;
  usd: Usd | undefined;
  /** Only those that are shown are counted. */
  isPart: boolean;
}

/**
 * The totals of all rows with these filters. Once all are shown, or where there are too many to count, those of the shown rows:
 * `amountOf` each, and `countOf` where a row stands for several.
 */
export function useTotals<Row, Answer extends { is_capped: boolean }>({
  key,
  call,
  from: { rows, hasMore },
  refetchInterval = false,
  read,
  amountOf,
  countOf = () => 1,
}: {
  key: QueryKey;
  call: (signal: AbortSignal) => Promise<Result<Answer>>;
  from: { rows: Row[] | undefined; hasMore: boolean };
  refetchInterval?: number | false;
  read: (answer: Answer) => { count: number; usd: Usd | undefined };
  amountOf: (row: Row) => number;
  countOf?: (row: Row) => number;
}): Totals {
  const { data } = useAnswer(key, call, { enabled: hasMore, refetchInterval, placeholderData: (before) => before });
  if (hasMore && data && !data.is_capped) return { ...read(data), isPart: false };
  return {
    count: rows?.reduce((sum, row) => sum + countOf(row), 0),
    usd: rows && sumText(rows.map(amountOf)),
    isPart: hasMore,
  };
}
