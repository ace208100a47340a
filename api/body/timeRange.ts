import { z } from 'zod';

const DAY_MS = 86_400_000;
// The database has no years before 1, and no record is older than 1970.
const MODERN = /^(19[7-9]\d|2\d{3})/;
const TIME = 'A time is an ISO 8601 date (a whole day, UTC) or a date and time with its offset.';

const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: TIME })
  .refine((text) => MODERN.test(text), { error: TIME });

const isDay = (text: string) => !text.includes('T');

/** A month of a query. */
export const month = z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM, from 2000-01 to 2999-12');

/** The members `from` and `to` of a query. A date without a time means the whole day in UTC, also in `to`; any other `to` is exclusive. */
export const timeRange = {
  from: moment
    .transform((text) => new Date(text))
    .optional()
    .describe('A date, or a date and time with its offset (ISO 8601).'),
  to: moment
    .transform((text) => new Date(Date.parse(text) + (isDay(text) ? DAY_MS : 0)))
    .optional()
    .describe('A date, which is included, or a date and time, which is not.'),
};
