import { daysOf, isDay, lastDays, priorOf, type Range } from './range.ts';

/** Reports have steps of minutes below three hours, of hours below three days, of days above. Everything is UTC, as in the ledger. */
export type Unit = 'minute' | 'hour' | 'day';

/** A span of time as the API takes it: days, both included, or moments, of which the second is not. */
export interface Span {
  from: string;
  to: string;
}

/** What a report covers. */
export interface Period extends Span {
  unit: Unit;
  /** The names of its steps, as in the rows of a report. */
  steps: string[];
  /** The step that is not over; undefined when all are. */
  openAt: number | undefined;
  name: string;
  prior: Prior;
}

/** The period before. Of one that is not over, it covers as much as has passed. */
interface Prior extends Span {
  steps: string[];
  name: string;
}

/** A choice of a period in the page's address. */
interface Chosen {
  /** `3h`, or a number of days with today. */
  days?: string;
  /** `2026-10` */
  month?: string;
  /** Days of UTC. */
  from?: string;
  to?: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const HOURS_DAYS_MAX = 3;
const LAST_HOURS = 3;
const DAYS_MAX = 366;

export const DEFAULT_DAYS = '30';

/** What is left of a choice that anybody may have written into the address. */
export function chosenOf({ days, month, from, to }: Chosen): Chosen {
  if (isMonth(month)) return { month };
  if (isDay(from) && isDay(to)) return { from, to };
  return days === `${LAST_HOURS}h` || (/^[1-9]\d*$/.test(days ?? '') && Number(days) <= DAYS_MAX)
    ? { days: days! }
    : {};
}

/** The period of a choice. Days in the wrong order are exchanged. */
export function periodOf(search: Chosen, nowMs: number): Period {
  const { days = DEFAULT_DAYS, month, from, to } = chosenOf(search);
  if (month !== undefined) return monthOf(month, nowMs);
  if (from !== undefined && to !== undefined)
    return daysPeriod(from <= to ? { from, to } : { from: to, to: from }, nowMs);
  if (days === `${LAST_HOURS}h`) return lastHours(nowMs);
  return daysPeriod(lastDays(Number(days), nowMs), nowMs, days);
}

/** Whether a text of the address is a month: `2026-11`. */
export const isMonth = (text: string | undefined): text is string => isDay(text && `${text}-01`);

function lastHours(nowMs: number): Period {
  const toMs = floor(nowMs, MINUTE_MS) + MINUTE_MS;
  const fromMs = toMs - LAST_HOURS * HOUR_MS;
  return {
    ...spanOf(fromMs, toMs),
    unit: 'minute',
    steps: stepsOf(fromMs, toMs, 'minute'),
    openAt: LAST_HOURS * 60 - 1,
    name: 'Last 3 hours',
    prior: {
      ...spanOf(fromMs - LAST_HOURS * HOUR_MS, fromMs),
      steps: stepsOf(fromMs - LAST_HOURS * HOUR_MS, fromMs, 'minute'),
      name: 'the previous 3 hours',
    },
  };
}

/** Whole days, of which the last ones may be still to come. A calendar month is compared with the month before. */
function daysPeriod(range: Range, nowMs: number, days?: string): Period {
  const month = range.from.slice(0, 7);
  if (sameRange(range, rangeOfMonth(month))) return monthOf(month, nowMs);
  const prior = priorOf(range);
  if (days === '1') {
    const [priorName, priorNameSoFar] = ['yesterday', 'yesterday by this time'];
    return periodWith({ range, prior, nowMs, name: 'Today', priorName, priorNameSoFar });
  }
  const name = days ? `Last ${days} days` : daysText(range);
  return periodWith({ range, prior, nowMs, name, priorName: days ? `the previous ${days} days` : daysText(prior) });
}

function monthOf(month: string, nowMs: number): Period {
  const range = rangeOfMonth(month);
  const prior = rangeOfMonth(monthBefore(month));
  const priorName = monthText(monthBefore(month));
  const priorNameSoFar = `the same days of ${priorName}`;
  return periodWith({ range, prior, nowMs, name: monthText(month), priorName, priorNameSoFar });
}

function periodWith({
  range,
  prior,
  nowMs,
  name,
  priorName,
  priorNameSoFar = priorName,
}: {
  range: Range;
  prior: Range;
  nowMs: number;
  name: string;
  priorName: string;
  /** While the period is not over. */
  priorNameSoFar?: string;
}): Period {
  const [fromMs, toMs] = [Date.parse(range.from), Date.parse(range.to) + DAY_MS];
  const unit = daysOf(range).length < HOURS_DAYS_MAX ? 'hour' : 'day';
  const size = unit === 'hour' ? HOUR_MS : DAY_MS;
  const isOpen = nowMs >= fromMs && nowMs < toMs;
  const priorFromMs = Date.parse(prior.from);
  const priorEndMs = Date.parse(prior.to) + DAY_MS;
  // An hour has just begun: at least one is compared.
  const passedMs = Math.max(HOUR_MS, floor(nowMs - fromMs, HOUR_MS));
  const priorToMs = isOpen ? Math.min(priorEndMs, priorFromMs + passedMs) : priorEndMs;
  return {
    ...range,
    unit,
    steps: stepsOf(fromMs, toMs, unit),
    openAt: isOpen ? Math.floor((nowMs - fromMs) / size) : undefined,
    name,
    prior: {
      ...spanOf(priorFromMs, priorToMs),
      steps: stepsOf(priorFromMs, priorToMs, unit),
      name: isOpen ? priorNameSoFar : priorName,
    },
  };
}

/** The names of the steps between two moments, as the API's rows have them. */
export function stepsOf(fromMs: number, toMs: number, unit: Unit): string[] {
  const size = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS }[unit];
  const count = Math.ceil(Math.max(0, toMs - fromMs) / size);
  return Array.from({ length: count }, (_, at) => nameOfStep(fromMs + at * size, unit));
}

const nameOfStep = (ms: number, unit: Unit): string => {
  const text = new Date(ms).toISOString();
  return unit === 'day' ? text.slice(0, 10) : `${text.slice(0, 19)}Z`;
};

/** The span of one step, for the list of its requests. */
export function spanOfStep(step: string, unit: Unit): Span {
  if (unit === 'day') return { from: step, to: step };
  const ms = Date.parse(step);
  return spanOf(ms, ms + (unit === 'hour' ? HOUR_MS : MINUTE_MS));
}

const spanOf = (fromMs: number, toMs: number): Span => ({ from: momentOf(fromMs), to: momentOf(toMs) });
const momentOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const floor = (ms: number, size: number): number => Math.floor(ms / size) * size;

const sameRange = (one: Range, other: Range): boolean => one.from === other.from && one.to === other.to;

function rangeOfMonth(month: string): Range {
  const [year, at] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year!, at, 0)).toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last };
}

/** `2026-10` of `2026-11`. */
export const monthBefore = (month: string): string => {
  const [year, at] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, at! - 2, 1)).toISOString().slice(0, 7);
};

/** The present month and those before it: `['2026-11', '2026-10', ...]`. */
export function lastMonths(count: number, nowMs: number): string[] {
  const months = [new Date(nowMs).toISOString().slice(0, 7)];
  while (months.length < count) months.push(monthBefore(months.at(-1)!));
  return months;
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const yearFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `25 Nov`, of a day of UTC. */
export const dayText = (day: string): string => dayFormat.format(new Date(day));

export const monthText = (month: string): string => monthFormat.format(new Date(`${month}-01`));

/** `27 Oct – 26 Nov 2026` */
export function daysText({ from, to }: Range): string {
  const [first, last] = [new Date(from), new Date(to)];
  if (from === to) return yearFormat.format(last);
  return `${(first.getUTCFullYear() === last.getUTCFullYear() ? dayFormat : yearFormat).format(first)} – ${yearFormat.format(last)}`;
}
