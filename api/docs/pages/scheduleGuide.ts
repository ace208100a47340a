import { SCHEDULES_MAX } from '../../../db/schedules/schedules.ts';
import type { Guide } from './html.ts';

/** Runs that start by themselves. */
export const schedules: Guide = {
  id: 'schedules',
  title: 'Run an agent on a schedule',
  parts: [
    'A schedule creates runs at times (`cron`, with the `timezone` in which it is read) or in an interval (`every_seconds`, from 60). `run` is the body of each run, as of `POST /v1/runs`; with `session_id` all runs use that session, without it each gets a new one. The key that made the schedule pays.',
    {
      code: `curl -sS "$BASE_URL/v1/schedules" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Morning report", "cron": "0 8 * * mon-fri", "timezone": "Europe/Berlin", "overlap": "skip",
       "run": {"agent": "ledgerline/writer", "input": "Write the plan of the day.", "max_cost_usd": 0.05}}'`,
    },
    'In `cron` a day of the month and a day of the week must both match when both are given. Times that a change of the clock skips are skipped, and times that it repeats fire twice.',
    'When a firing is due while the run of an earlier one is open, `overlap` decides: `skip` it, `buffer_one` until the end, `cancel_other`, or `allow` both. A firing that the service could not start in time is started late, within `catchup_window_seconds`. `jitter_seconds` spreads firings, `start_at` and `end_at` bound them, `remaining_runs` counts them.',
    '`POST …/pause` takes a note, `POST …/resume` with `{"catch_up": true}` makes up for the times that passed, `POST …/trigger` fires now. `next_run_times` are the next firings, `recent` the last ones: each with its run, or with the `code` that `POST /v1/runs` would have answered. `GET …/runs` lists the runs.',
    `The service pauses a schedule whose runs it cannot create, and says why in \`pause_reason\` and in the event \`schedule.paused\`: \`key\` (revoked or expired), \`agent\` (suspended or gone), \`order\` (the body is refused, for example because its session was deleted), \`balance\` (the balance or the key’s limit did not cover \`pause_after_misses\` firings in a row). A workspace has at most ${SCHEDULES_MAX} schedules.`,
  ],
};
