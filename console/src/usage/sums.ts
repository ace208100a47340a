import type { UsageReport } from '../api/shapes.ts';
import { centsText, countText, durationText } from '../parts/figures.tsx';
import { latencyOf } from './latency.ts';
import { tokensOf } from './facts.ts';
import type { MetricId } from './metrics.ts';
import type { Answers } from './useReports.ts';

/** The sum of a metric, what it was before, and what it says without a comparison. */
export interface Sum {
  now: number | undefined;
  before: number | undefined;
  note: string;
  /** What alone a comparison counts. */
  part?: string;
}

/** The sums of all metrics; of one whose report is missing, undefined. */
export function sumsOf(answers: Answers, isCompared: boolean): Partial<Record<MetricId, Sum>> | undefined {
  const { usage, usageBefore, errors, errorsBefore, latency, latencyBefore } = answers;
  if (!usage || !errors || !latency || (isCompared && !(usageBefore && errorsBefore && latencyBefore)))
    return undefined;
  const before = isCompared ? usageBefore : undefined;
  const tokens = tokensIn(usage);
  const calls = callsIn(usage);
  // What was refused long ago is not kept, so only failures are compared.
  const { calls: wrong, failed } = errors.total;
  const isPart = isCompared && wrong !== failed;
  return {
    cost: { now: usage.total.cost_usd, before: before?.total.cost_usd, note: eachText(usage.total.cost_usd, calls) },
    requests: { now: calls, before: before && callsIn(before), note: runsText(usage.total.runs) },
    tokens: {
      now: tokens.all,
      before: before && tokensIn(before).all,
      note: tokens.all === 0 ? '' : `${compact(tokens.output)} output`,
    },
    errors: {
      now: isPart ? failed : wrong,
      ...(isPart && { part: 'failed' }),
      before: isCompared ? errorsBefore?.total.failed : undefined,
      note: wrong === 0 ? '' : `${countText(failed)} failed, ${countText(errors.total.refused)} refused`,
    },
    latency: {
      now: latencyOf(latency.total, 'p50'),
      before: isCompared && latencyBefore ? latencyOf(latencyBefore.total, 'p50') : undefined,
      note: latencyText(latencyOf(latency.total, 'p95')),
    },
  };
}

const runsText = (runs: number): string =>
  runs === 0 ? '' : `incl. ${countText(runs)} agent ${runs === 1 ? 'run' : 'runs'}`;

/** The value is the median. */
const latencyText = (p95Ms: number | undefined): string =>
  p95Ms === undefined ? '' : `Median, p95 ${durationText(p95Ms)}`;

const THOUSAND = 1_000;
const eachText = (usd: number, calls: number): string =>
  calls === 0 ? '' : `${centsText((usd / calls) * THOUSAND)} per 1K requests`;

const callsIn = ({ total }: UsageReport): number => total.requests + total.runs;

const tokensIn = ({ data }: UsageReport) => ({
  all: data.reduce((sum, row) => sum + tokensOf()(row), 0),
  output: data.reduce((sum, row) => sum + tokensOf('output_tokens')(row), 0),
});

const compactFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
export const compact = (count: number): string => compactFormat.format(count);
