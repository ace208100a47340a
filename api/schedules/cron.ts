import { CRON_FIELDS, numberOf, valuesIn, type CronField } from '../../db/schedules/cronTimes.ts';

/** The fault of a cron expression of five fields; undefined if Temporal accepts it. */
export function faultOfCron(text: string): string | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== CRON_FIELDS.length)
    return 'A cron expression has five fields: minute, hour, day of the month, month, day of the week.';
  const wrong = CRON_FIELDS.findIndex(
    (field, at) => !parts[at]!.split(',').every((part) => isPart(part.toLowerCase(), field)),
  );
  if (wrong < 0)
    return hasDay(parts[2]!, parts[3]!)
      ? undefined
      : `No month of "${parts[3]}" has a day of "${parts[2]}": it would never fire.`;
  const { name, min, max } = CRON_FIELDS[wrong]!;
  return `The ${name} "${parts[wrong]}" is not *, or numbers from ${min} to ${max}, ranges such as 1-5 and steps such as */2.`;
}

// Of a leap year.
const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether one of these days is in one of these months. */
function hasDay(days: string, months: string): boolean {
  const [, , ofMonth, month] = CRON_FIELDS;
  const first = Math.min(...valuesIn(days, ofMonth!));
  return valuesIn(months, month!).some((at) => first <= DAYS_OF_MONTHS[at - 1]!);
}

/** One part of a list: `*`, a number or a range, each with or without a step. */
function isPart(part: string, field: CronField): boolean {
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0 || (step !== undefined && !isStep(step, field))) return false;
  if (range === '*') return true;
  const ends = range.split('-').map((end) => numberOf(end, field));
  if (ends.length > 2 || ends.some((end) => end === undefined || end < field.min || end > field.max)) return false;
  return ends.length === 1 || ends[0]! <= ends[1]!;
}

const isStep = (step: string, { max }: CronField): boolean => /^[1-9]\d?$/.test(step) && Number(step) <= max;

const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

// The language's library still has these, which the IANA database no longer has: Temporal refuses them.
const REMOVED = /^SystemV\//i;

/** The IANA database's spelling of a time zone, which Temporal requires; undefined for an unknown zone. */
export function timezoneOf(name: string): string | undefined {
  if (!ZONE.test(name) || REMOVED.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
