/** A range of whole UTC days. `to` is the day after the last one, as in the API. */
export interface Range {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;

export const RANGES = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The last days, including today. */
export function lastDays(days: number, now = Date.now()): Range {
  return { from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now + DAY_MS) };
}

/** The same number of days just before, for comparison. */
export function priorOf({ from, to }: Range): Range {
  const length = Date.parse(to) - Date.parse(from);
  return { from: dayOf(Date.parse(from) - length), to: from };
}

/** Each day of a range, so that a day without usage is a gap in the chart, not a missing bar. */
export function daysOf({ from, to }: Range): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return Array.from({ length: Math.max(0, count) }, (_, at) => dayOf(Date.parse(from) + at * DAY_MS));
}

/** The range of one day. */
export const oneDay = (day: string): Range => ({ from: day, to: dayOf(Date.parse(day) + DAY_MS) });

/** The last day of a range, as people name it. */
export const lastDayOf = ({ to }: Range): string => dayOf(Date.parse(to) - DAY_MS);
