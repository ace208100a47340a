import { z } from 'zod';
import { RUN_STATUSES } from '../../db/runs/runRow.ts';
import { RECENT_FIRINGS } from '../../db/schedules/firings.ts';
import { SCHEDULES_MAX } from '../../db/schedules/schedules.ts';
import { pageOf, type RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import { DeletedAnswer } from '../files/presentFile.ts';
import { RunPage } from '../runs/runAnswers.ts';
import { NewSchedule, PauseBody, ResumeBody, ScheduleChange, ScheduleListQuery } from './scheduleSchema.ts';

const TAG = 'Schedules';
const time = z.iso.datetime();

const Firing = z.object({
  scheduled_at: time,
  outcome: z.enum(['started', 'missed']).nullable().describe('`missed`: there is no run. Null: it begins.'),
  run_id: z.string().nullable(),
  run_status: z.enum(RUN_STATUSES).nullable(),
  code: z.string().nullable().describe('Why it was missed: a code that POST /v1/runs answers.'),
  message: z.string().nullable(),
});

export const Schedule = z.object({
  id: z.string(),
  object: z.literal('schedule'),
  name: z.string().nullable(),
  status: z.enum(['active', 'paused', 'ended']),
  cron: z.string().nullable(),
  every_seconds: z.int().nullable(),
  timezone: z.string(),
  jitter_seconds: z.int(),
  start_at: time.nullable(),
  end_at: time.nullable(),
  overlap: z.enum(['skip', 'buffer_one', 'cancel_other', 'allow']),
  catchup_window_seconds: z.int(),
  remaining_runs: z.int().nullable(),
  pause_after_misses: z.int(),
  paused_at: time.nullable(),
  pause_reason: z
    .enum(['requested', 'balance', 'key', 'agent', 'order'])
    .nullable()
    .describe(
      '`requested`, or what keeps the service from creating its runs: `balance`, `key`, `agent`, `order` (the run’s body, or its times).',
    ),
  pause_note: z.string().nullable(),
  run: z.looseObject({ agent: z.string() }),
  next_run_times: z.array(time).nullable().describe('Without jitter; null while they are not known.'),
  recent: z.array(Firing).describe(`The last ${RECENT_FIRINGS} firings, newest first.`),
  created_at: time,
  updated_at: time,
});

const SCHEDULE = { id: 'Schedule', schema: Schedule };
const EXAMPLE = {
  name: 'Morning report',
  cron: '0 8 * * mon-fri',
  timezone: 'Europe/Berlin',
  run: { agent: 'ledgerline/writer', input: 'Write the plan of the day.', max_cost_usd: 0.5 },
};

/** Documentation of schedules. */
export const scheduleDocs = {
  create: {
    tag: TAG,
    summary: 'Create a schedule of runs',
    description:
      'Each firing creates a run as POST /v1/runs does, paid by the key that made the schedule. A firing that ' +
      'cannot create its run is in `recent` with the ' +
      'reason. The service pauses a schedule, with the event `schedule.paused`, when its key is revoked, its ' +
      'agent is not available, or the balance did not cover ' +
      `\`pause_after_misses\` firings in a row. At most ${SCHEDULES_MAX} for each workspace.`,
    input: { id: 'NewSchedule', schema: NewSchedule, example: EXAMPLE },
    headers: headers.ONCE,
    answer: SCHEDULE,
    statuses: [201],
    errors: [404],
  },
  list: {
    tag: TAG,
    summary: 'List schedules',
    description: 'Newest first.',
    query: ScheduleListQuery,
    answer: { id: 'SchedulePage', schema: pageOf(Schedule) },
  },
  retrieve: { tag: TAG, summary: 'Read a schedule', answer: SCHEDULE },
  change: {
    tag: TAG,
    summary: 'Change a schedule',
    description:
      'Changes what is sent; `run` is replaced as a whole. `cron` replaces `every_seconds`, and the reverse. A limited key changes, resumes ' +
      'and fires only schedules of its own and of the keys below it: 403 `schedule_of_another_key`.',
    input: { id: 'ScheduleChange', schema: ScheduleChange, example: { cron: '30 9 * * *' } },
    answer: SCHEDULE,
    errors: [409],
  },
  remove: {
    tag: TAG,
    summary: 'Delete a schedule',
    description: 'Its runs go on.',
    answer: { id: 'Deleted', schema: DeletedAnswer },
  },
  pause: {
    tag: TAG,
    summary: 'Pause a schedule',
    description: 'It does not fire until it is resumed; runs go on.',
    input: { id: 'SchedulePause', schema: PauseBody, example: { note: 'Closed until Monday.' }, isOptional: true },
    answer: SCHEDULE,
  },
  resume: {
    tag: TAG,
    summary: 'Resume a schedule',
    input: { id: 'ScheduleResumption', schema: ResumeBody, example: { catch_up: true }, isOptional: true },
    answer: SCHEDULE,
  },
  trigger: {
    tag: TAG,
    summary: 'Fire a schedule now',
    description:
      'Also a paused one; the overlap policy applies, and it counts as one of `remaining_runs`. The run is in ' +
      '`recent` a moment later. 503 while Temporal does not answer.',
    headers: headers.ONCE,
    answer: SCHEDULE,
    statuses: [202],
    errors: [503],
  },
  runs: {
    tag: TAG,
    summary: 'List the runs of a schedule',
    description: 'Newest first.',
    query: ScheduleListQuery,
    answer: { id: 'RunPage', schema: RunPage },
  },
} satisfies Record<string, RouteDoc>;
