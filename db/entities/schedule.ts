import { defineEntity, p } from '@mikro-orm/core';

/** The reaction when a firing is due while the run of an earlier one is open. */
export type ScheduleOverlap = 'skip' | 'buffer_one' | 'cancel_other' | 'allow';

/** Who paused a schedule: its owner, or the platform, because its firings could not create runs. */
export type PauseReason = 'requested' | 'balance' | 'key' | 'agent' | 'order';

/**
 * Runs that start by themselves. The row is the source of truth; its schedule in Temporal follows: `revision` counts the changes,
 * `syncedRevision` is the last change that Temporal has.
 */
export const Schedule = defineEntity({
  name: 'Schedule',
  tableName: 'schedules',
  checks: [
    { name: 'schedules_spec_check', expression: '(cron is null) <> (every_seconds is null)' },
    { name: 'schedules_overlap_check', expression: "overlap in ('skip', 'buffer_one', 'cancel_other', 'allow')" },
    {
      name: 'schedules_paused_check',
      expression:
        "(paused_at is null) = (pause_reason is null) and pause_reason in ('requested', 'balance', 'key', 'agent', 'order')",
    },
    { name: 'schedules_remaining_check', expression: 'remaining_runs >= 0' },
  ],
  indexes: [
    { name: 'schedules_workspace_index', properties: ['workspaceId', 'createdAt', 'id'] },
    {
      name: 'schedules_stale_index',
      expression: 'create index schedules_stale_index on schedules (updated_at) where synced_revision <> revision',
    },
    {
      name: 'schedules_agent_index',
      expression:
        "create index schedules_agent_index on schedules (split_part(run ->> 'agent', '@', 1)) where deleted_at is null",
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    /** The key that created it: it pays. */
    keyId: p.text(),
    name: p.text().strictNullable(),
    /** The body of each run, as `POST /v1/runs` takes it. */
    run: p.json().$type<Record<string, unknown> & { agent: string }>(),
    cron: p.text().strictNullable(),
    timezone: p.text(),
    everySeconds: p.integer().strictNullable(),
    jitterSeconds: p.integer(),
    startAt: p.datetime().strictNullable(),
    endAt: p.datetime().strictNullable(),
    overlap: p.text().$type<ScheduleOverlap>(),
    catchupWindowSeconds: p.integer(),
    /** The remaining firings; null: no limit. */
    remainingRuns: p.integer().strictNullable(),
    pauseAfterMisses: p.integer(),
    /** Consecutive firings that the balance or the key's limit did not cover. */
    unpaidMisses: p.integer().default(0),
    pausedAt: p.datetime().strictNullable(),
    pauseReason: p.text().$type<PauseReason>().strictNullable(),
    pauseNote: p.text().strictNullable(),
    /** Set by a resumption that catches up on missed times: from when and until when. Cleared once Temporal has the order. */
    catchUpFrom: p.datetime().strictNullable(),
    catchUpUntil: p.datetime().strictNullable(),
    revision: p.integer().default(1),
    syncedRevision: p.integer().default(0),
    /** Until then, one process has claimed the synchronisation with Temporal. */
    claimedUntil: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().strictNullable(),
  },
});

/** One firing of a schedule, with its run or the reason for the lack of one. */
export const ScheduleFiring = defineEntity({
  name: 'ScheduleFiring',
  tableName: 'schedule_firings',
  checks: [{ name: 'schedule_firings_outcome_check', expression: "outcome in ('started', 'missed')" }],
  indexes: [
    { name: 'schedule_firings_schedule_index', properties: ['scheduleId', 'createdAt', 'id'] },
    {
      name: 'schedule_firings_workflow_index',
      expression: 'create unique index schedule_firings_workflow_index on schedule_firings (workflow_id)',
    },
    { name: 'schedule_firings_run_index', properties: ['runId'] },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    scheduleId: p.text(),
    /** The firing's workflow. Its id contains the planned time: one firing, one run. */
    workflowId: p.text(),
    scheduledAt: p.datetime(),
    /** Chosen before the run is created, so that a repetition creates no second run. */
    runId: p.text(),
    /** Null until known. */
    outcome: p.text().$type<'started' | 'missed'>().strictNullable(),
    code: p.text().strictNullable(),
    message: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()').index(),
  },
});
