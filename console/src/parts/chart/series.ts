/** The numbers behind a picture: values for each step of time, as a few series. Pure; the drawing is in `Plot.tsx`. */

/** One value before it is grouped: what a series has at a step. */
export interface Fact {
  step: string;
  id: string;
  name: string;
  value: number;
}

/** A line, or one part of each bar. A value is undefined where there is none, such as a latency without calls. */
export interface Series {
  id: string;
  name: string;
  color: string;
  values: (number | undefined)[];
  /** Of all its values. */
  sum: number;
}

export const OTHERS = 'others';
const SERIES_MAX = 6;

/** The colours of series in brand order; the rest is grey. */
export const colorAt = (at: number): string => (at < SERIES_MAX ? `var(--series-${at + 1})` : 'var(--series-others)');

/**
 * The largest series in order of their sums, each with a value for every step; what is left is grey: one by its name, more added up as "Others". Facts of other
 * steps are left out.
 */
export function seriesOf(facts: Fact[], steps: string[]): Series[] {
  const places = new Map(steps.map((step, at) => [step, at]));
  const found = new Map<string, Series>();
  for (const { step, id, name, value } of facts) {
    const at = places.get(step);
    if (at === undefined) continue;
    const series = found.get(id) ?? emptySeries(id, name, steps.length);
    series.values[at] = series.values[at]! + value;
    series.sum += value;
    found.set(id, series);
  }
  const ranked = [...found.values()].toSorted((one, other) => other.sum - one.sum);
  const [shown, rest] = [ranked.slice(0, SERIES_MAX), ranked.slice(SERIES_MAX)];
  const others =
    rest.length < 2 ? rest : [rest.reduce(added, emptySeries(OTHERS, `Others (${rest.length})`, steps.length))];
  return [...shown, ...others].map((series, at) => ({ ...series, color: colorAt(at) }));
}

const emptySeries = (id: string, name: string, length: number): Series => ({
  id,
  name,
  color: '',
  values: Array.from({ length }, () => 0),
  sum: 0,
});

const added = (others: Series, { values, sum }: Series): Series => ({
  ...others,
  values: others.values.map((value, at) => value! + values[at]!),
  sum: others.sum + sum,
});

/** Where each part of each bar begins and ends, from the bottom up. */
export function stacked(series: Pick<Series, 'values'>[]): [from: number, to: number][][] {
  const heights: number[] = [];
  return series.map(({ values }) =>
    values.map((value = 0, at) => {
      const from = heights[at] ?? 0;
      heights[at] = from + Math.max(0, value);
      return [from, heights[at]];
    }),
  );
}

/** The sum of all series at a step. */
export const totalAt = (series: Pick<Series, 'values'>[], at: number): number =>
  series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);

/** The sum of all series at each step. */
export const totalsOf = (series: Pick<Series, 'values'>[], length: number): number[] =>
  Array.from({ length }, (_, at) => totalAt(series, at));

/** The series that have something at a step: of parts of a sum, what is more than nothing. */
export const seriesAt = (series: Series[], at: number, isSummed: boolean): Series[] =>
  series.filter(({ values }) => (isSummed ? (values[at] ?? 0) > 0 : values[at] !== undefined));

/** `value` as a share of `total`: `37%`, `< 1%`. */
export function shareText(value: number, total: number): string {
  if (total <= 0 || value <= 0) return '0%';
  const percent = (value / total) * 100;
  return percent < 1 ? '< 1%' : `${percent > 99 && percent < 100 ? 99 : Math.round(percent)}%`;
}
