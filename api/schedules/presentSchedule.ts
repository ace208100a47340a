import type { z } from 'zod';
import type { ListedFiring } from '../../db/schedules/firings.ts';
import type { ScheduleRow } from '../../db/schedules/schedules.ts';
import type { Schedule } from './scheduleDocs.ts';

/** A schedule in its public form. */
export function presentSchedule(
  row: ScheduleRow,
  { nextTimes, recent }: { nextTimes: Date[] | null; recent: ListedFiring[] },
): z.infer<typeof Schedule> {
  const isoOf = (date: Date | null) => date?.toISOString() ?? null;
  return {
    id: row.id,
    object: 'schedule',
    name: row.name,
    status: statusOf(row),
    cron: row.cron,
    every_seconds: row.everySeconds,
    timezone: row.timezone,
    jitter_seconds: row.jitterSeconds,
    start_at: isoOf(row.startAt),
    end_at: isoOf(row.endAt),
    overlap: row.overlap,
    catchup_window_seconds: row.catchupWindowSeconds,
    remaining_runs: row.remainingRuns,
    pause_after_misses: row.pauseAfterMisses,
    paused_at: isoOf(row.pausedAt),
    pause_reason: row.pauseReason,
    pause_note: row.pauseNote,
    run: row.run,
    next_run_times: nextTimes?.slice(0, row.remainingRuns ?? undefined).map((time) => time.toISOString()) ?? null,
    recent: recent.map((firing) => ({
      scheduled_at: firing.scheduledAt.toISOString(),
      outcome: firing.outcome,
      run_id: firing.outcome === 'started' ? firing.runId : null,
      run_status: firing.runStatus,
      code: firing.code,
      message: firing.message,
    })),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Whether it no longer fires: no runs are left, or its end has passed. */
export const isEnded = ({ remainingRuns, endAt }: ScheduleRow): boolean =>
  remainingRuns === 0 || (endAt !== null && endAt.getTime() < Date.now());

function statusOf(row: ScheduleRow): 'active' | 'paused' | 'ended' {
  if (isEnded(row)) return 'ended';
  return row.pausedAt === null ? 'active' : 'paused';
}
