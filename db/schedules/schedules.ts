import type { InferEntity } from '@mikro-orm/core';
import { auditOf, type Actor } from '../workspaces/audit.ts';
import type { Schedule } from '../entities/schedule.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';

const auditSchedule = auditOf('schedule');

export type ScheduleRow = InferEntity<typeof Schedule>;

/** The maximum number of a workspace's schedules. */
export const SCHEDULES_MAX = 100;

/** The owner's settings of a schedule. */
export type ScheduleChoice = Pick<
  ScheduleRow,
  | 'name'
  | 'run'
  | 'cron'
  | 'timezone'
  | 'everySeconds'
  | 'jitterSeconds'
  | 'startAt'
  | 'endAt'
  | 'overlap'
  | 'catchupWindowSeconds'
  | 'remainingRuns'
  | 'pauseAfterMisses'
>;

/**
 * Creates a schedule, audited; the actor's key pays for its runs. The caller chooses `id`: an existing schedule of that id is unchanged.
 * Returns it as it is stored, so that an answer needs no other read.
 */
export function insertSchedule(
  rows: Rows,
  { id, by, pause, ...chosen }: ScheduleChoice & { id: string; by: Actor & { keyId: string }; pause: Pause | null },
): Promise<{ schedule: ScheduleRow; isNew: boolean } | 'too_many'> {
  return rows.transaction(async (tx) => {
    const { em, sql, Schedule, workspaceId } = tx;
    const existing = await em.findOne(Schedule, { id });
    if (existing) return { schedule: existing, isNew: false };
    await lockWorkspace(tx, workspaceId);
    if ((await em.count(Schedule, { deletedAt: null })) >= SCHEDULES_MAX) return 'too_many';
    const createdAt = sql`ledger_now(${workspaceId})`;
    await em.insert(Schedule, {
      id,
      workspaceId,
      keyId: by.keyId,
      createdAt,
      ...chosen,
      ...(pause && pausedBy(tx, pause)),
    });
    await auditSchedule(tx, by, { action: 'create_schedule', id, detail: told(chosen) });
    return { schedule: await em.findOneOrFail(Schedule, { id }), isNew: true };
  });
}

/** Lists the schedules of the workspace, newest first. */
export const readSchedules = (rows: Rows, page: PageQuery) =>
  rows.transaction((tx) => readPage(tx, tx.Schedule, { deletedAt: null }, page));

/** A schedule of the workspace, or undefined. */
export const findSchedule = async (rows: Rows, id: string): Promise<ScheduleRow | undefined> =>
  (await rows.statement(({ em, Schedule }) => em.findOne(Schedule, { id, deletedAt: null }))) ?? undefined;

/** Changes a schedule, audited. False: no such schedule. */
export const updateSchedule = (rows: Rows, id: string, by: Actor, change: Partial<ScheduleChoice>): Promise<boolean> =>
  move(
    rows,
    id,
    {
      by,
      action: 'change_schedule',
      detail: (schedule) => {
        const after = told(change);
        return {
          before: Object.fromEntries(
            (Object.keys(after) as (keyof typeof after)[]).map((name) => [name, schedule[name]]),
          ),
          after,
        };
      },
    },
    () => change,
  );

/** What the audit says of a choice. What a run is told stays the customer's. */
const told = ({ run: _run, ...others }: Partial<ScheduleChoice>): Omit<Partial<ScheduleChoice>, 'run'> => others;

/** A pause with the note of its owner. */
export interface Pause {
  note: string | null;
}

/** Pauses a schedule, audited. A paused schedule gets the new note, and only its owner resumes it. False: no such schedule. */
export const updatePaused = (rows: Rows, id: string, by: Actor, pause: Pause): Promise<boolean> =>
  move(rows, id, { by, action: 'pause_schedule', detail: pause }, (tx, schedule) => ({
    ...pausedBy(tx, pause),
    ...(schedule.pausedAt && { pausedAt: schedule.pausedAt }),
  }));

/**
 * Resumes a schedule, audited. With `catchesUp`, times missed during the pause are made up for, as far back as the catch-up window; those of
 * an earlier pause too, while Temporal has not got them.
 * False: no such schedule.
 */
export const updateResumed = (rows: Rows, id: string, by: Actor, catchesUp: boolean): Promise<boolean> =>
  move(rows, id, { by, action: 'resume_schedule', detail: { catch_up: catchesUp } }, ({ sql }, schedule) => ({
    pausedAt: null,
    pauseReason: null,
    pauseNote: null,
    unpaidMisses: 0,
    ...(catchesUp &&
      schedule.pausedAt && {
        catchUpFrom: sql`greatest(least(catch_up_from, paused_at), ${WINDOW_START(sql)})`,
        catchUpUntil: sql.now(),
      }),
  }));

/** Deletes a schedule, audited. Its runs continue. False: no such schedule. */
export const removeSchedule = (rows: Rows, id: string, by: Actor): Promise<boolean> =>
  move(rows, id, { by, action: 'delete_schedule', detail: {} }, ({ sql }) => ({ deletedAt: sql.now() }));

const WINDOW_START = (sql: Transaction['sql']) => sql`now() - catchup_window_seconds * interval '1 second'`;

const pausedBy = ({ sql }: Transaction, { note }: Pause) => ({
  pausedAt: sql.now(),
  pauseReason: 'requested' as const,
  pauseNote: note,
});

/** Changes a locked row and counts the change, so that Temporal gets it. */
function move(
  rows: Rows,
  id: string,
  { by, action, detail }: { by: Actor; action: string; detail: object | ((schedule: ScheduleRow) => object) },
  change: (tx: Transaction, schedule: ScheduleRow) => object,
): Promise<boolean> {
  return rows.transaction(async (tx) => {
    const { em, Schedule, LockMode, sql } = tx;
    const schedule = await em.findOne(Schedule, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!schedule) return false;
    const said = typeof detail === 'function' ? detail(schedule) : detail;
    const counted = { revision: schedule.revision + 1, updatedAt: sql.now() };
    await em.nativeUpdate(Schedule, { id }, { ...change(tx, schedule), ...counted });
    await auditSchedule(tx, by, { action, id, detail: said });
    return true;
  });
}
