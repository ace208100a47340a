import {
  hashKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { useEffect, useMemo, useRef } from 'react';
import type { Rows } from '../parts/table.ts';
import { answerOf, type Result } from './client.ts';
import { focusAgain } from '../parts/useFocusBack.ts';
import { isMissing, isOutdated, isPassing, sentenceOf } from './failure.ts';

/** Reads once and caches: `useAnswer(['keys'], (signal) => api.GET('/platform/v1/keys', { signal }))`. */
export function useAnswer<T>(
  key: QueryKey,
  call: (signal: AbortSignal) => Promise<Result<T>>,
  options: Omit<UseQueryOptions<NonNullable<T>>, 'queryKey' | 'queryFn'> = {},
) {
  const query = useQuery<NonNullable<T>>({
    queryKey: key,
    queryFn: ({ signal }) => answerOf(call(signal)),
    ...options,
  });
  return useSteady(query, hashKey(key));
}

/**
 * The state of a query while it is read again and again. A failure stays until there is an answer: each reading begins without one, and a
 * placeholder would take turns with it. What an answer says is missing is not shown any more.
 */
function useSteady<T>(query: UseQueryResult<T>, key: string): UseQueryResult<T> {
  const failure = useLastFailure(query, key);
  const { data, error } = query;
  const isGone = isMissing(error) && data !== undefined;
  if (!failure || (error && !isGone)) return query;
  const shown = { data: undefined, error: failure, isPending: false, isLoading: false };
  return { ...query, ...shown } as UseQueryResult<T>;
}

type Read = Pick<UseQueryResult, 'data' | 'error' | 'isPlaceholderData'>;

/** The failure of a query, also while it is read again; null once there is an answer. */
function useLastFailure({ data, error, isPlaceholderData }: Read, key: string): Error | null {
  const failed = useRef<{ key: string; error: Error }>(undefined);
  if (error) failed.current = { key, error };
  else if ((data !== undefined && !isPlaceholderData) || failed.current?.key !== key) failed.current = undefined;
  return failed.current?.error ?? null;
}

export interface Page<Row> {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
}

const PAGES_READ_ANEW = 4;

const isShort = ({ state: { data } }: { state: { data: { pages: unknown[] } | undefined } }): boolean =>
  (data?.pages.length ?? 0) <= PAGES_READ_ANEW;

/** Reads a list page by page; `DataTable` shows it. With `liveMs` the first page is refreshed in that interval. */
export function usePages<Row>(
  key: QueryKey,
  call: (cursor: string | undefined, signal: AbortSignal) => Promise<Result<Page<Row>>>,
  { liveMs, ...options }: { liveMs?: number; enabled?: boolean } = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => answerOf(call(pageParam, signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // Not refreshed once later pages are open: new rows would move them.
    refetchInterval: ({ state }) => (liveMs !== undefined && state.data?.pages.length === 1 ? liveMs : false),
    // All pages would be read again, one after another.
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
    refetchOnMount: isShort,
    placeholderData: (before) => before,
    ...options,
  });
  const failure = useLastFailure(query, hashKey(key));
  const data = query.isPlaceholderData && failure ? undefined : query.data;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  return {
    rows,
    // Of what is shown, the strip over the page says that it is old.
    error: rows && !query.isFetchNextPageError && isPassing(query.error) ? null : (query.error ?? failure),
    isLoading: query.isLoading && !failure,
    isOld: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}

type ReadRows = Pick<UseQueryResult, 'error' | 'isLoading' | 'refetch'>;

/** Rows that come all at once with an answer; `DataTable` shows them. */
export const rowsFrom = <Row>(answer: ReadRows, rows: Row[] | undefined): Rows<Row> => ({
  rows,
  error: answer.error,
  isLoading: answer.isLoading,
  retry: () => void answer.refetch(),
});

/**
 * Reads anew what is shown of these queries. A first answer that is still on its way may be older than the news, so it is given up;
 * `invalidateQueries` alone would take it for the new one.
 */
export async function readAnew(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries({ queryKey });
}

/**
 * Sends a change, then refreshes the queries in `stale`, and says what is `done`: without that the page itself says so, also to a screen
 * reader. Without `onError` a refusal is shown as a notification. A refusal refreshes them too when the page shows what was before a change
 * made elsewhere: at once, or when the form that shows it is closed.
 */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  options: {
    stale?: QueryKey[];
    done?: string | ((output: Output, input: Input) => string);
    onSuccess?: (output: Output, input: Input) => void;
    onError?: (error: Error) => void;
  } = {},
) {
  const queries = useQueryClient();
  const refresh = () => Promise.all((options.stale ?? []).map((queryKey) => readAnew(queries, queryKey)));
  const late = useRef<() => unknown>(undefined);
  useEffect(() => () => void late.current?.(), []);
  return useMutation<Output, Error, Input, { pressed: Element | null }>({
    mutationFn: change,
    onSuccess: async (output, input) => {
      if (options.done) say(typeof options.done === 'string' ? options.done : options.done(output, input));
      late.current = undefined;
      options.onSuccess?.(output, input);
      await refresh();
    },
    onError: (error) => {
      // A form keeps its own message, which would be gone with a row that is refreshed: that waits until the form is closed.
      if (options.onError) {
        late.current = isOutdated(error) ? refresh : undefined;
        return options.onError(error);
      }
      showFailure(error);
      if (isOutdated(error)) void refresh();
    },
    onMutate: () => ({ pressed: document.activeElement }),
    // What was pressed may be gone with its row or its state.
    onSettled: (_output, _error, _input, before) => before && focusAgain(before.pressed),
  });
}

const say = (message: string) => notifications.show({ message, closeButtonProps: { 'aria-label': 'Close' } });

/** Shows a failure as a notification. */
export function showFailure(error: unknown): void {
  notifications.show({
    color: 'red',
    title: sentenceOf(error),
    message: '',
    autoClose: 12_000,
    closeButtonProps: { 'aria-label': 'Close' },
  });
}
