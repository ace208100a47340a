/**
 * A range of whole days, `2026-11-21`, both inclusive, as in the API. Its user decides on the zone, UTC or the reader's: reports have
 * days of UTC, lists show times in the reader's zone.
 */
export interface Range {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const daysIn = ({ from, to }: Range): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

/** Whether a text is a day that exists. */
export const isDay = (text: string | undefined): text is string =>
  DAY.test(text ?? '') && !Number.isNaN(Date.parse(text!)) && dayOf(Date.parse(text!)) === text;

/** The last days of UTC, including that of the moment `nowMs`. */
export function lastDays(days: number, nowMs: number): Range {
  return { from: dayOf(nowMs - (days - 1) * DAY_MS), to: dayOf(nowMs) };
}

/** The same number of days just before, for comparison. */
export function priorOf(range: Range): Range {
  const first = Date.parse(range.from);
  return { from: dayOf(first - daysIn(range) * DAY_MS), to: dayOf(first - DAY_MS) };
}

/** Each day of a range, so that a day without usage is a gap in the chart, not a missing bar. */
export function daysOf(range: Range): string[] {
  const first = Date.parse(range.from);
  return Array.from({ length: Math.max(0, daysIn(range)) }, (_, at) => dayOf(first + at * DAY_MS));
}

/**
 * The times that bound days in the reader's zone, for the API: from the first (inclusive) to the second (exclusive). A day may have 23 or
 * 25 hours. Either end may be open. Anything else than a day stays as it is.
 */
export function timesOf({ from, to }: Partial<Range>): Partial<Range> {
  return { ...(from && { from: midnightOf(from, 0) }), ...(to && { to: midnightOf(to, 1) }) };
}

function midnightOf(day: string, daysLater: number): string {
  if (!DAY.test(day)) return day;
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year!, month! - 1, date! + daysLater).toISOString();
}
