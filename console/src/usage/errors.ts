import type { ErrorReport } from '../api/shapes.ts';
import type { Fact } from '../parts/chart/series.ts';
import type { Period, Unit } from './period.ts';
import { nameOf, valueOf } from './usageRows.ts';

/** Which errors are counted: those that were refused before anything ran, those that ran and failed, or both. */
type Part = 'calls' | 'refused' | 'failed';

export const ERROR_PARTS: { value: Part; label: string }[] = [
  { value: 'calls', label: 'All errors' },
  { value: 'refused', label: 'Refused' },
  { value: 'failed', label: 'Failed' },
];

const partOf = (part: string): Part => ERROR_PARTS.find(({ value }) => value === part)?.value ?? 'calls';

export const errorFacts = (report: ErrorReport, { unit, by, part }: { unit: Unit; by: string; part: string }): Fact[] =>
  report.data.map((row) => ({
    step: String(row[unit]),
    id: valueOf(row, by) ?? '',
    name: by === 'code' && row.code === null ? 'Code no longer kept' : nameOf(row, by),
    value: row[partOf(part)],
  }));

/** Refusals are kept for days only, so that a longer comparison would be of unlike numbers: only failures are compared then. */
export const isComparable = (report: ErrorReport, period: Period, part: string): boolean =>
  part === 'failed' || Date.parse(period.prior.from) >= Date.parse(report.refused_since);
