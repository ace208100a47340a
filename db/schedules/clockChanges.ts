import { CRON_FIELDS, valuesIn } from './cronTimes.ts';

/** The times of a schedule. */
export interface CronTimes {
  /** Null: an interval. */
  cron: string | null;
  timezone: string;
}

const HOUR_MS = 3_600_000;
// From the change of clocks, in both directions: Temporal repeats a time an hour later.
const AROUND_MS = 3 * HOUR_MS;

/**
 * Whether Temporal plans a time that the cron expression does not have. On the day on which clocks go back, east of Greenwich it plans the
 * times of the hour before the change a second time, an hour later: `0 0 * * *` in London also at one o'clock.
 */
export function isEcho({ cron, timezone }: CronTimes, at: Date): boolean {
  if (cron === null) return false;
  const clock = clockOf(timezone);
  const atMs = at.getTime();
  return offsetMs(clock, atMs - AROUND_MS) > offsetMs(clock, atMs + AROUND_MS) && !hasTime(cron, clock(atMs));
}

/** Whether a time by the clock is in a cron expression. */
function hasTime(cron: string, time: Date): boolean {
  const day = time.getUTCDay();
  const is = [
    [time.getUTCMinutes()],
    [time.getUTCHours()],
    [time.getUTCDate()],
    [time.getUTCMonth() + 1],
    [day, day || 7],
  ];
  return is.every((values, field) => valuesOf(cron, field).some((value) => values.includes(value)));
}

/** The numbers of one field of a cron expression. */
const valuesOf = (cron: string, field: number): number[] =>
  valuesIn(cron.trim().split(/\s+/)[field]!, CRON_FIELDS[field]!);

/** Times of a day by the clock that Temporal leaves out: some minutes of each hour, or some whole hours. */
export interface SkippedTimes {
  year: number;
  month: (typeof MONTHS)[number];
  dayOfMonth: number;
  hour: number[] | '*';
  minute: number[] | '*';
  second: '*';
}

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;

// Later times are left out when they fire.
const YEARS = 5;
const STEP_MS = 7 * 24 * HOUR_MS;

/** All times that the cron expression does not have on the days of the next years on which clocks go back, so that Temporal plans none of them. */
export function echoesOf({ cron, timezone }: CronTimes, from: Date): SkippedTimes[] {
  if (cron === null) return [];
  const minute = without(valuesOf(cron, 0), 60);
  const hour = without(valuesOf(cron, 1), 24);
  const times = [
    ...(hour.length > 0 ? [{ hour, minute: '*' as const }] : []),
    ...(minute.length > 0 ? [{ hour: '*' as const, minute }] : []),
  ];
  return daysOfChange(timezone, from).flatMap((day) =>
    times.map((skipped) => ({
      year: day.getUTCFullYear(),
      month: MONTHS[day.getUTCMonth()]!,
      dayOfMonth: day.getUTCDate(),
      ...skipped,
      second: '*' as const,
    })),
  );
}

const without = (values: number[], count: number): number[] =>
  Array.from({ length: count }, (_, value) => value).filter((value) => !values.includes(value));

/** The days, by the clock, on which clocks go back. */
function daysOfChange(timezone: string, from: Date): Date[] {
  const clock = clockOf(timezone);
  const days: Date[] = [];
  let nextOffsetMs = offsetMs(clock, from.getTime());
  for (let week = 0; week < (YEARS * 366) / 7; week += 1) {
    let [beforeMs, afterMs] = [from.getTime() + week * STEP_MS, from.getTime() + (week + 1) * STEP_MS];
    const beforeOffsetMs = nextOffsetMs;
    nextOffsetMs = offsetMs(clock, afterMs);
    if (beforeOffsetMs <= nextOffsetMs) continue;
    while (afterMs - beforeMs > 1_000) {
      const middleMs = Math.floor((beforeMs + afterMs) / 2);
      if (offsetMs(clock, middleMs) === beforeOffsetMs) beforeMs = middleMs;
      else afterMs = middleMs;
    }
    days.push(clock(beforeMs));
  }
  return days;
}

/** What a clock in a zone shows, as the time at which one in UTC shows the same. */
type Clock = (ms: number) => Date;

const offsetMs = (clock: Clock, ms: number): number => clock(ms).getTime() - Math.floor(ms / 1_000) * 1_000;

function clockOf(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...NUMBERS });
  return (ms) => {
    const parts = format.formatToParts(ms);
    const [year, month, day, hour, minute, second] = WALL_PARTS.map((type) =>
      Number(parts.find((part) => part.type === type)!.value),
    );
    return new Date(Date.UTC(year!, month! - 1, day, hour, minute, second));
  };
}

const WALL_PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

const NUMBERS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;
