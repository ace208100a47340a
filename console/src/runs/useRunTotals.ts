import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { sumOf } from '../parts/totals.tsx';
import type { Run } from './runEvents.ts';

const REFRESH_MS = 30_000;

/** What stands below a list of runs: how many there are, and what they cost. */
export interface RunSums {
  count: number | undefined;
  /** Only those that are shown are counted. */
  isPart: boolean;
  usd: number | undefined;
}

/** The sums of all runs with these filters. Once all are shown their rows have them, with the cost so far of those that run. */
export function useRunTotals(
  query: { agent?: string; status?: Run['status']; from?: string; to?: string },
  { rows, hasMore }: { rows: Run[] | undefined; hasMore: boolean },
): RunSums {
  const { data } = useAnswer(
    ['runs', 'totals', query],
    (signal) => api.GET('/v1/runs/totals', { params: { query }, signal }),
    { enabled: hasMore, refetchInterval: REFRESH_MS },
  );
  if (hasMore && data && !data.is_capped) return { count: data.count, isPart: false, usd: data.cost_usd ?? undefined };
  return { count: rows?.length, isPart: hasMore, usd: rows && sumOf(rows.map(({ usage }) => usage.total_usd)) };
}
