import type { UsageReport, UsageRow } from '../api/shapes.ts';
import type { Fact, Series } from '../parts/chart/series.ts';
import { OTHERS } from '../parts/chart/series.ts';
import { sumOf } from '../parts/nanos.ts';
import type { Unit } from './period.ts';
import { nameOf, valueOf } from './usageRows.ts';

/** What a report says of one name: a model, a key. */
export interface Line {
  id: string;
  name: string;
  value: number;
  /** In the period before: undefined while nothing is compared. */
  before?: number;
  /** Calls and runs. */
  calls: number;
  callsBefore?: number;
  errors: number;
}

/** How a row of a report counts for a metric. */
export type Measure = (row: UsageRow) => number;

/** The values of a report by step and name. */
export const factsOf = (
  report: UsageReport,
  { unit, by, measure }: { unit: Unit; by: string; measure: Measure },
): Fact[] =>
  report.data.map((row) => ({
    step: String(row[unit]),
    id: idOf(row, by),
    name: nameOf(row, by),
    value: measure(row),
  }));

const TOKENS = /tokens?$/;
const TOKEN_NAMES: Record<string, string> = {
  input_tokens: 'Input',
  cached_input_tokens: 'Cached input',
  cache_write_tokens: 'Cache writes',
  output_tokens: 'Output',
};

/** The tokens of a report by step and kind. */
export const tokenFacts = (report: UsageReport, unit: Unit): Fact[] =>
  report.data.flatMap((row) =>
    row.units
      .filter(({ unit: name }) => TOKENS.test(name))
      .map(({ unit: id, quantity }) => ({ step: String(row[unit]), id, name: tokenName(id), value: quantity })),
  );

const tokenName = (unit: string): string => TOKEN_NAMES[unit] ?? unit.replaceAll('_', ' ').replace(/ tokens?$/, '');

/** The tokens of one kind, or all of them. */
export const tokensOf =
  (kind?: string): Measure =>
  ({ units }) =>
    units.reduce(
      (sum, { unit, quantity }) => sum + (kind ? (unit === kind ? quantity : 0) : TOKENS.test(unit) ? quantity : 0),
      0,
    );

const idOf = (row: UsageRow, by: string): string => valueOf(row, by) ?? '';

/** The sums of facts by name, beside those of the period before; the largest first, or the largest change. */
export function linesOf(facts: Fact[], prior: Fact[] | undefined): Line[] {
  const lines = new Map<string, Line>();
  const lineOf = ({ id, name }: Fact): Line => {
    const line = lines.get(id) ?? {
      id,
      name,
      value: 0,
      calls: 0,
      errors: 0,
      ...(prior && { before: 0, callsBefore: 0 }),
    };
    lines.set(id, line);
    return line;
  };
  for (const fact of facts) lineOf(fact).value = sumOf([lineOf(fact).value, fact.value]);
  for (const fact of prior ?? []) lineOf(fact).before = sumOf([lineOf(fact).before!, fact.value]);
  return ranked([...lines.values()]);
}

/** Adds the calls and errors of reports to lines. */
export function withCalls(lines: Line[], report: UsageReport, prior: UsageReport | undefined, by: string): Line[] {
  const byId = new Map(lines.map((line) => [line.id, { ...line }]));
  for (const row of report.data) {
    const line = byId.get(idOf(row, by));
    if (!line) continue;
    line.calls += callsOf(row);
    line.errors += row.errors;
  }
  for (const row of prior?.data ?? []) {
    const line = byId.get(idOf(row, by));
    if (line?.callsBefore !== undefined) line.callsBefore += callsOf(row);
  }
  return [...byId.values()];
}

export const callsOf: Measure = ({ requests, runs }) => requests + runs;

const ranked = (lines: Line[]): Line[] =>
  lines.toSorted((one, other) => {
    const change = Math.abs(changeOf(other)) - Math.abs(changeOf(one));
    return change === 0 ? other.value - one.value : change;
  });

export const changeOf = ({ value, before }: Line): number => (before === undefined ? 0 : sumOf([value, -before]));

/** The sums of the period before, step by step. */
export function ghostOf(prior: Fact[], steps: string[], only?: string, shown: Series[] = []): number[] {
  const places = new Map(steps.map((step, at) => [step, at]));
  const named = new Set(shown.map(({ id }) => id));
  const sums = steps.map(() => 0);
  for (const { step, id, value } of prior) {
    const isCounted = only === undefined || (only === OTHERS ? !named.has(id) : id === only);
    const at = places.get(step);
    if (isCounted && at !== undefined) sums[at]! += value;
  }
  return sums;
}
