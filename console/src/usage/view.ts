import type { ErrorReport, LatencyReport, UsageReport } from '../api/shapes.ts';
import type { Picture } from '../parts/chart/layout.ts';
import { colorAt, OTHERS, seriesOf, type Fact, type Series } from '../parts/chart/series.ts';
import { sumOf } from '../parts/nanos.ts';
import { errorFacts, isComparable } from './errors.ts';
import {
  callsOf,
  factsOf,
  ghostOf,
  linesOf,
  tokenFacts,
  tokensOf,
  withCalls,
  type Line,
  type Measure,
} from './facts.ts';
import { latencyLines, latencyOf } from './latency.ts';
import { ALL, KIND, type Metric } from './metrics.ts';
import type { Period } from './period.ts';
import { stepTexts } from './steps.ts';
import { nameOf, valueOf } from './usageRows.ts';

/** What is chosen on the page. */
export interface Choice {
  metric: Metric;
  by: string;
  /** Of tokens a kind, of latency a percentile. */
  part: string;
  period: Period;
}

/** What the page shows of a choice: one picture, its series, and its lines as a table. */
export interface View extends Choice {
  series: Series[];
  lines: Line[];
  total: number | undefined;
  totalBefore: number | undefined;
  /** The facts of the period before, for the ghost. */
  prior: Fact[] | undefined;
  /** Of errors by code: the last call with each. */
  lastCalls?: Map<string, { id: string; message: string }>;
}

const MEASURES: Record<string, Measure> = {
  cost: ({ cost_usd: usd }) => usd,
  requests: callsOf,
};

/** The view of a usage report, and of the period before where it is compared. */
export function usageView(choice: Choice, report: UsageReport, prior: UsageReport | undefined): View {
  const { metric, by, part, period } = choice;
  const measure = metric.id === 'tokens' ? tokensOf(part === ALL ? undefined : part) : MEASURES[metric.id]!;
  const read = (of: UsageReport): Fact[] =>
    by === KIND ? tokenFacts(of, period.unit) : factsOf(of, { unit: period.unit, by, measure });
  const facts = read(report);
  const before = prior && read(prior);
  const lines = linesOf(facts, before).filter(({ value, before: was = 0 }) => value !== 0 || was !== 0);
  return {
    ...choice,
    series: seriesOf(facts, period.steps),
    lines: by === KIND ? lines : withCalls(lines, report, prior, by),
    total: sumOfFacts(facts),
    totalBefore: before && sumOfFacts(before),
    prior: before,
  };
}

/** The view of errors. */
export function errorView(
  choice: Choice,
  { errors, prior, usage }: { errors: ErrorReport; prior: ErrorReport | undefined; usage: UsageReport },
): View {
  const { by, part, period } = choice;
  const like = prior && isComparable(errors, period, part) ? prior : undefined;
  const facts = errorFacts(errors, { unit: period.unit, by, part });
  const before = like && errorFacts(like, { unit: period.unit, by, part });
  const lines = linesOf(facts, before).filter(({ value, before: was = 0 }) => value !== 0 || was !== 0);
  const lastCalls = usage.errors_by_code.map(
    ({ code, last_request_id: id, message }) => [code, { id, message }] as const,
  );
  return {
    ...choice,
    series: seriesOf(facts, period.steps).filter(({ sum }) => sum > 0),
    lines,
    total: sumOfFacts(facts),
    totalBefore: before && sumOfFacts(before),
    prior: before,
    ...(by === 'code' && { lastCalls: new Map(lastCalls) }),
  };
}

/** The view of latencies. Percentiles do not add up, so that nothing is summed. */
export function latencyView(
  choice: Choice,
  reports: { byTime: LatencyReport; ranked: LatencyReport | undefined; prior: LatencyReport | undefined },
): View {
  const { by, part, period } = choice;
  const { byTime, ranked, prior } = reports;
  const series = latencyLines({ report: byTime, ranked, unit: period.unit, by, measure: part, steps: period.steps });
  const isAll = by === ALL;
  const beforeOf = (id: string) => {
    if (!prior) return undefined;
    if (isAll) return latencyOf(prior.total, id);
    const row = prior.data.find((one) => (one[by] ?? '') === id);
    return row && latencyOf(row, part);
  };
  const lines = isAll
    ? series.map(({ id, name, sum }) => ({
        id,
        name,
        value: sum,
        before: beforeOf(id),
        calls: byTime.total.requests,
        errors: 0,
      }))
    : (ranked?.data ?? []).map((row) => {
        const id = valueOf(row, by) ?? '';
        const name = nameOf(row, by);
        return { id, name, value: latencyOf(row, part) ?? 0, before: beforeOf(id), calls: row.requests, errors: 0 };
      });
  return {
    ...choice,
    series,
    lines,
    total: latencyOf(byTime.total, isAll ? 'p50' : part),
    totalBefore: prior && latencyOf(prior.total, isAll ? 'p50' : part),
    prior: undefined,
  };
}

const sumOfFacts = (facts: Fact[]): number => sumOf(facts.map(({ value }) => value));

/** What the chart draws: all series, or one alone; beside them the period before. */
export function pictureOf({ series, period, prior }: View, only: string | undefined): Picture {
  const shown = only === undefined ? series : series.filter(({ id }) => id === only);
  const ghost = prior && ghostOf(prior, period.prior.steps, only, series);
  return {
    steps: stepTexts(period.steps, period.unit, period.openAt),
    series: shown,
    ...(ghost && { ghost: period.steps.map((_, at) => ghost[at]) }),
    ...(period.openAt !== undefined && { openAt: period.openAt }),
  };
}

/** The colour of a line: that of its series, or grey. */
export function colorsOf(series: Series[]): (id: string) => string {
  const colors = new Map(series.filter(({ id }) => id !== OTHERS).map(({ id, color }) => [id, color]));
  return (id) => colors.get(id) ?? colorAt(series.length + 6);
}
