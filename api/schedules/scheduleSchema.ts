import { z } from 'zod';
import { pageQuery } from '../http/page.ts';
import { ScheduledRunOrder } from '../runs/runSchema.ts';
import { faultOfCron, timezoneOf } from './cron.ts';

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 366 * DAY_SECONDS;

/** The shortest time between two firings. */
const EVERY_SECONDS_MIN = 60;

const cron = z
  .string()
  // A longer one is not read.
  .max(200, { abort: true })
  .superRefine((text, context) => {
    const message = faultOfCron(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .describe(
    'Five fields: minute, hour, day of the month, month, day of the week. Days of both kinds must match when both are given.',
  );
const everySeconds = z
  .int()
  .min(EVERY_SECONDS_MIN)
  .max(YEAR_SECONDS)
  .describe('The interval between two firings, in the place of `cron`.');
const timezone = z
  .string()
  .max(100)
  .transform((name, context) => {
    const known = timezoneOf(name);
    if (known !== undefined) return known;
    context.addIssue({
      code: 'custom',
      message: 'This is not a time zone of the IANA database, such as Europe/Berlin.',
    });
    return z.NEVER;
  })
  .describe('The zone of `cron`: a name of the IANA database.');
const time = z.iso.datetime({ offset: true });

const members = {
  name: z.string().min(1).max(200).nullable().describe('For lists.'),
  cron: cron.nullable(),
  every_seconds: everySeconds.nullable(),
  timezone,
  jitter_seconds: z.int().min(0).max(3_600).describe('Each firing is delayed by a random time up to this.'),
  start_at: time.nullable().describe('No firing before it.'),
  end_at: time.nullable().describe('No firing after it.'),
  overlap: z
    .enum(['skip', 'buffer_one', 'cancel_other', 'allow'])
    .describe(
      'A firing that is due while the run of an earlier one is open: is skipped, waits for its end (one at ' +
        'most), cancels it, or runs beside it.',
    ),
  catchup_window_seconds: z
    .int()
    .min(10)
    .max(YEAR_SECONDS)
    .describe(
      'How late a firing may be that the service could not start in time; and how far a resumption looks back.',
    ),
  remaining_runs: z.int().min(1).max(1_000_000).nullable().describe('Firings until the schedule ends; null: no limit.'),
  pause_after_misses: z
    .int()
    .min(1)
    .max(100)
    .describe('Firings in a row that the balance or the key’s limit does not cover, after which it is paused.'),
  run: ScheduledRunOrder.describe(
    'The body of each run, as of POST /v1/runs. With `session_id` all runs use that session.',
  ),
};

const note = z.string().max(500).nullable().default(null).describe('Why, for people.');

const HAS_ONE_SPEC = {
  path: ['cron'],
  message: 'Send either cron or every_seconds.',
};
const isGiven = (value: unknown) => value !== undefined && value !== null;

/** A new schedule. */
export const NewSchedule = z
  .strictObject({
    ...members,
    name: members.name.default(null),
    cron: members.cron.default(null),
    every_seconds: members.every_seconds.default(null),
    timezone: timezone.default('UTC'),
    jitter_seconds: members.jitter_seconds.default(0),
    start_at: members.start_at.default(null),
    end_at: members.end_at.default(null),
    overlap: members.overlap.default('skip'),
    catchup_window_seconds: members.catchup_window_seconds.default(3_600),
    remaining_runs: members.remaining_runs.default(null),
    pause_after_misses: members.pause_after_misses.default(3),
    paused: z.boolean().default(false).describe('Whether it is made paused.'),
    pause_note: note,
  })
  .refine((body) => isGiven(body.cron) !== isGiven(body.every_seconds), HAS_ONE_SPEC);

/** Changes of a schedule: omitted members stay. */
export const ScheduleChange = z
  .strictObject(members)
  .partial()
  .refine((body) => !(isGiven(body.cron) && isGiven(body.every_seconds)), HAS_ONE_SPEC)
  .refine((body) => !(body.cron === null && !isGiven(body.every_seconds)), HAS_ONE_SPEC)
  .refine((body) => !(body.every_seconds === null && !isGiven(body.cron)), HAS_ONE_SPEC);

export const PauseBody = z.strictObject({ note });
export const ResumeBody = z.strictObject({
  catch_up: z
    .boolean()
    .default(false)
    .describe(
      'Makes up for the times that passed during the pause, within the catch-up window and by the overlap policy.',
    ),
});
export const ScheduleListQuery = z.strictObject(pageQuery);
