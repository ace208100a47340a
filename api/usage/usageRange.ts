import { validationErrorAt } from '../../base/errors/requestErrors.ts';

const DAYS = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest range by minute. */
export const MINUTES_RANGE_HOURS = 3;

interface Range {
  from: Date;
  /** Excluded. */
  to: Date;
}

/**
 * The given range. Without `from` it covers the last days, by minute the last hour; without `to` it includes today, or this minute. Throws
 * 422 for a range that is too long for minutes.
 */
export function rangeOf(given: Partial<Range>, groupBy: readonly string[], nowMs: number): Range {
  const isByMinute = groupBy.includes('minute');
  const [stepMs, lengthMs] = isByMinute ? [MINUTE_MS, HOUR_MS] : [DAY_MS, DAYS * DAY_MS];
  const to = given.to ?? new Date((Math.floor(nowMs / stepMs) + 1) * stepMs);
  const from = given.from ?? new Date(to.getTime() - lengthMs);
  if (isByMinute && to.getTime() - from.getTime() > MINUTES_RANGE_HOURS * HOUR_MS) throw tooLong();
  return { from, to };
}

const tooLong = () =>
  validationErrorAt(
    ['query', 'from'],
    `By minute, a range has at most ${MINUTES_RANGE_HOURS} hours. Choose a later \`from\`, or group by hour.`,
  );
