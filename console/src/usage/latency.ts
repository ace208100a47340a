import type { LatencyReport } from '../api/shapes.ts';
import { colorAt, type Series } from '../parts/chart/series.ts';
import { ALL } from './metrics.ts';
import type { Unit } from './period.ts';
import { nameOf, valueOf } from './usageRows.ts';

type Times = Pick<LatencyReport['total'], 'duration_ms' | 'first_byte_ms'>;

const MEASURES: Record<string, { name: string; of: (times: Times) => number | undefined }> = {
  p50: { name: 'p50', of: ({ duration_ms: ms }) => ms?.p50 },
  p95: { name: 'p95', of: ({ duration_ms: ms }) => ms?.p95 },
  first_p50: { name: 'First token p50', of: ({ first_byte_ms: ms }) => ms?.p50 },
  first_p95: { name: 'First token p95', of: ({ first_byte_ms: ms }) => ms?.p95 },
};

const LINES_MAX = 6;

export const latencyOf = (times: Times, measure: string): number | undefined =>
  (MEASURES[measure] ?? MEASURES.p50!).of(times);

/** Percentiles do not add up: a line for each of them, or for each of the busiest names with the chosen one. */
export function latencyLines({
  report,
  ranked,
  unit,
  by,
  measure,
  steps,
}: {
  /** By time, and by name. */
  report: LatencyReport;
  /** By name alone, the busiest first. */
  ranked: LatencyReport | undefined;
  unit: Unit;
  by: string;
  measure: string;
  steps: string[];
}): Series[] {
  const valuesOf = (isOf: (row: LatencyReport['data'][number]) => boolean, name: string) => {
    const found = new Map(report.data.filter(isOf).map((row) => [String(row[unit]), latencyOf(row, name)]));
    return steps.map((step) => found.get(step));
  };
  if (by === ALL) {
    return Object.entries(MEASURES)
      .filter(([id]) => id !== 'first_p95')
      .map(([id, { name }], at) => ({
        id,
        name,
        color: colorAt(at),
        values: valuesOf(() => true, id),
        sum: latencyOf(report.total, id) ?? 0,
      }));
  }
  return (ranked?.data ?? []).slice(0, LINES_MAX).map((row, at) => ({
    id: valueOf(row, by) ?? '',
    name: nameOf(row, by),
    color: colorAt(at),
    values: valuesOf((one) => one[by] === row[by], measure),
    sum: latencyOf(row, measure) ?? 0,
  }));
}
