import { keyword, RUN_SEARCH_ATTRIBUTES, TASK_QUEUE } from './start.ts';

/**
 * The workflow of one firing of a schedule: it creates the run and stays open until the run has ended, so that overlap policies apply to
 * runs.
 */
export const SCHEDULED_RUN_WORKFLOW = 'scheduledRun';

/** `runId`: the run of this firing, when the workflow continues as new. */
export type ScheduledRunInput = { scheduleId: string; runId?: string };
/** The run of the firing has ended. */
export const RUN_ENDED_SIGNAL = 'runEnded';

/** Without a run when the overlap policy skipped the firing. */
export type ScheduledRunResult = { runId: string; status: string } | { status: 'skipped' };

/** What happens when a firing is due while an earlier firing's run is open. */
export type ScheduleOverlap = 'skip' | 'buffer_one' | 'cancel_other' | 'allow';

const SCHEDULE_PREFIX = 'schedule/';

/** The id of a schedule in Temporal. */
export const temporalScheduleIdOf = (scheduleId: string): string => `${SCHEDULE_PREFIX}${scheduleId}`;

/** The schedule of a schedule in Temporal; undefined for the platform's own schedules. */
export const scheduleIdOf = (temporalId: string): string | undefined =>
  temporalId.startsWith(SCHEDULE_PREFIX) ? temporalId.slice(SCHEDULE_PREFIX.length) : undefined;

/** Temporal's names of the overlap policies. */
export const OVERLAP_POLICIES = {
  skip: 'SKIP',
  buffer_one: 'BUFFER_ONE',
  cancel_other: 'CANCEL_OTHER',
  allow: 'ALLOW_ALL',
} as const satisfies Record<ScheduleOverlap, string>;

/** What a firing's workflow says of its schedule: ids. Its name and its note are its owner's texts, which are in the database alone. */
interface Fired {
  id: string;
  workspaceId: string;
  run: { agent: string };
  keyPrefix: string;
}

const workflowOf = ({ id, workspaceId, run, keyPrefix }: Fired) => ({
  taskQueue: TASK_QUEUE,
  args: [{ scheduleId: id }] as [ScheduledRunInput],
  staticSummary: `${run.agent}, by schedule ${id}`,
  staticDetails: `Creates a run for ${id} and waits for its end. Failed: there is no run, or it failed.`,
  typedSearchAttributes: [
    keyword(RUN_SEARCH_ATTRIBUTES.workspace, workspaceId),
    keyword(RUN_SEARCH_ATTRIBUTES.agent, run.agent),
    keyword(RUN_SEARCH_ATTRIBUTES.keyPrefix, keyPrefix),
    keyword(RUN_SEARCH_ATTRIBUTES.schedule, id),
  ],
});

/** How the workflow of a firing by hand starts. `firingId`: its caller's choice; a second start with it finds the first. */
export const handFiringOf = (schedule: Fired, firingId: string) => ({
  ...workflowOf(schedule),
  workflowId: `${temporalScheduleIdOf(schedule.id)}-${firingId}`,
  workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
});

/** The desired form of a run schedule in Temporal. */
export function temporalScheduleOf<Calendar>(
  schedule: Fired & {
    cron: string | null;
    timezone: string;
    everySeconds: number | null;
    /** Times of `cron` that are left out, as Temporal's calendars. */
    skip: Calendar[];
    jitterSeconds: number;
    startAt: Date | null;
    endAt: Date | null;
    overlap: ScheduleOverlap;
    catchupWindowSeconds: number;
    remainingRuns: number | null;
    pausedAt: Date | null;
    pauseReason: string | null;
    /** The clock of its workspace was moved: it fires only by that clock, without jitter. */
    isHeld: boolean;
  },
) {
  const { id, cron, everySeconds, startAt, endAt, remainingRuns, pausedAt, pauseReason, isHeld } = schedule;
  return {
    spec: {
      ...(cron === null
        ? { intervals: [{ every: everySeconds! * 1000 }] }
        : { cronExpressions: [cron], timezone: schedule.timezone, skip: schedule.skip }),
      jitter: isHeld ? 0 : schedule.jitterSeconds * 1000,
      ...(startAt && { startAt }),
      ...(endAt && { endAt }),
    },
    action: {
      type: 'startWorkflow' as const,
      workflowType: SCHEDULED_RUN_WORKFLOW,
      // Temporal adds the planned time.
      workflowId: temporalScheduleIdOf(id),
      ...workflowOf(schedule),
    },
    policies: {
      overlap: OVERLAP_POLICIES[schedule.overlap],
      catchupWindow: schedule.catchupWindowSeconds * 1000,
    },
    state: {
      paused: pausedAt !== null || isHeld,
      note: pauseReason ?? '',
      // The row counts the firings: Temporal also counts those that it skips, and would stop before the last one.
      ...(remainingRuns === 0 && { remainingActions: 0 }),
    },
  };
}
