import type { InferEntity } from '@mikro-orm/core';
import type { PauseReason, ScheduleFiring } from '../entities/schedule.ts';
import { newId } from '../ids.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import type { RunRow } from '../runs/runRow.ts';
import { RETENTION_DAYS } from '../../base/limits.ts';
import { isEcho } from './clockChanges.ts';
import { readOpen, turnOf } from './overlap.ts';
import type { ScheduleRow } from './schedules.ts';

type Everywhere = Rows<undefined>;
export type FiringRow = InferEntity<typeof ScheduleFiring>;

/** A firing as Temporal reports it. */
export interface NewFiring {
  scheduleId: string;
  workflowId: string;
  scheduledAt: string;
  /** By the schedule's times, not by hand. */
  isPlanned?: boolean;
}

/** `gone`: the schedule was deleted, or has no runs left. `waiting`: open runs come first; those that it replaces are to be cancelled. */
export type Begun =
  | { outcome: 'begun'; schedule: ScheduleRow; firing: FiringRow }
  | { outcome: 'waiting'; replaced: string[] }
  | { outcome: 'skipped' }
  | { outcome: 'gone' };

/** Why a firing whose schedule is gone created no run. */
export const MISSED = {
  outcome: 'missed',
  code: 'schedule_ended',
  message: 'The schedule was deleted or has ended.',
} as const;

/** It does not count as one of the schedule's firings. */
const SKIPPED = { outcome: 'skipped' } as const;

/** Records a firing whose turn it is by the overlap policy and counts it, once: a repetition finds the first record. */
export function beginFiring(
  everywhere: Everywhere,
  { scheduleId, workflowId, scheduledAt, isPlanned = false }: NewFiring,
): Promise<Begun> {
  return everywhere.transaction(async (tx) => {
    const { em, Schedule, ScheduleFiring, LockMode } = tx;
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const schedule = await em.findOne(Schedule, { id: scheduleId, deletedAt: null }, lock);
    const known = await em.findOne(ScheduleFiring, { workflowId });
    if (!schedule) {
      if (known?.outcome === null) await endFiring(tx, known);
      return { outcome: 'gone' };
    }
    if (known && known.outcome !== null) return { outcome: 'begun', schedule, firing: known };
    if (!known && schedule.remainingRuns === 0) return { outcome: 'gone' };
    const planned = new Date(scheduledAt);
    // With cancel_other Temporal has already cancelled an open run for it.
    if (isPlanned && schedule.overlap !== 'cancel_other' && isEcho(schedule, planned)) return SKIPPED;
    const open = schedule.overlap === 'allow' ? [] : await readOpen(tx, scheduleId, workflowId);
    const turn = turnOf(schedule.overlap, { known, scheduledAt: planned, open });
    if (turn.does === 'skip') return SKIPPED;
    const isRecorded = turn.does === 'begin' || schedule.overlap === 'buffer_one';
    const firing = known ?? (isRecorded && (await recordFiring(tx, schedule, { workflowId, scheduledAt: planned })));
    if (turn.does === 'begin' && firing) return { outcome: 'begun', schedule, firing };
    return { outcome: 'waiting', replaced: turn.does === 'wait' ? turn.replaced : [] };
  });
}

/** Ends a firing whose schedule is gone: one that waited, or whose run was made before its process died. */
async function endFiring({ em, Run, ScheduleFiring }: AnyTransaction, { id, runId }: FiringRow): Promise<void> {
  const end = (await em.count(Run, { id: runId })) > 0 ? ({ outcome: 'started' } as const) : MISSED;
  await em.nativeUpdate(ScheduleFiring, { id, outcome: null }, end);
}

async function recordFiring(
  { em, Schedule, ScheduleFiring, sql }: AnyTransaction,
  { id: scheduleId, workspaceId, remainingRuns, revision }: ScheduleRow,
  { workflowId, scheduledAt }: { workflowId: string; scheduledAt: Date },
): Promise<FiringRow> {
  if (remainingRuns !== null) {
    // Temporal does not count: the end is reported to it.
    const ended = remainingRuns === 1 ? { revision: revision + 1, updatedAt: sql.now() } : {};
    await em.nativeUpdate(Schedule, { id: scheduleId }, { remainingRuns: remainingRuns - 1, ...ended });
  }
  const id = newId('fire');
  const made = { id, workspaceId, scheduleId, workflowId, scheduledAt, runId: newId('run') };
  // The time of the lock, not of the transaction: it orders the firings that wait.
  await em.insert(ScheduleFiring, { ...made, createdAt: sql`clock_timestamp()` });
  return em.findOneOrFail(ScheduleFiring, { id });
}

/** The firing that created a run; undefined for other runs. */
export const findFiringOf = async (everywhere: Everywhere, runId: string): Promise<FiringRow | undefined> =>
  (await everywhere.statement(({ em, ScheduleFiring }) => em.findOne(ScheduleFiring, { runId }))) ?? undefined;

/** Why a firing created no run. */
export interface Miss {
  status: number;
  code: string;
  message: string;
}

/** Records that a firing created its run. */
export function recordStart(everywhere: Everywhere, { id, scheduleId }: FiringRow): Promise<void> {
  return everywhere.transaction(async ({ em, Schedule, ScheduleFiring }) => {
    await em.nativeUpdate(ScheduleFiring, { id }, { outcome: 'started' });
    await em.nativeUpdate(Schedule, { id: scheduleId }, { unpaidMisses: 0 });
  });
}

/** Records why a firing created no run. If the next firings would fail alike, the schedule is paused, with an event. */
export function recordMiss(everywhere: Everywhere, { id, scheduleId }: FiringRow, miss: Miss): Promise<void> {
  return everywhere.transaction(async (tx) => {
    const { em, Schedule, ScheduleFiring, LockMode } = tx;
    const schedule = await em.findOneOrFail(Schedule, { id: scheduleId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const missed = { outcome: 'missed' as const, code: miss.code, message: miss.message };
    // A repetition counts it once.
    if ((await em.nativeUpdate(ScheduleFiring, { id, outcome: null }, missed)) === 0) return;
    const unpaidMisses = miss.status === 402 ? schedule.unpaidMisses + 1 : schedule.unpaidMisses;
    await em.nativeUpdate(Schedule, { id: scheduleId }, { unpaidMisses });
    const reason = pauseReasonOf(miss, unpaidMisses >= schedule.pauseAfterMisses);
    if (reason && schedule.pausedAt === null) await pauseSchedule(tx, schedule, reason, miss);
  });
}

const AGENT_CODES = ['agent_not_found', 'agent_taken_down', 'agent_retired', 'agent_suspended', 'model_unavailable'];

function pauseReasonOf({ status, code }: Miss, isOftenUnpaid: boolean): PauseReason | undefined {
  switch (status) {
    case 401:
    case 403:
      return 'key';
    case 402:
      return isOftenUnpaid ? 'balance' : undefined;
    case 404:
    case 409:
      if (code === 'session_busy') return undefined;
      return AGENT_CODES.includes(code) ? 'agent' : 'order';
    default:
      // The service's own limits and failures are temporary.
      return status === 429 || status >= 500 ? undefined : 'order';
  }
}

/** Pauses a schedule for a reason of the platform, with an event. */
export async function pauseSchedule(
  tx: AnyTransaction,
  schedule: ScheduleRow,
  reason: PauseReason,
  miss: Pick<Miss, 'code' | 'message'>,
): Promise<void> {
  const { id, workspaceId, revision, name } = schedule;
  const { em, Schedule, sql } = tx;
  const paused = { pausedAt: sql.now(), pauseReason: reason, pauseNote: miss.message };
  await em.nativeUpdate(Schedule, { id }, { ...paused, revision: revision + 1, updatedAt: sql.now() });
  await recordEvent(tx, workspaceId, {
    type: 'schedule.paused',
    resourceType: 'schedule',
    resourceId: id,
    data: { schedule_id: id, name, reason, code: miss.code, message: miss.message },
  });
}

/** A firing with the state of its run. */
export type ListedFiring = Pick<FiringRow, 'scheduledAt' | 'outcome' | 'runId' | 'code' | 'message' | 'createdAt'> & {
  scheduleId: string;
  runStatus: RunRow['status'] | null;
};

/** The newest firings of each of these schedules. */
export async function readRecent(rows: Rows, scheduleIds: string[]): Promise<ListedFiring[]> {
  const { rows: found } = await rows.statement(({ client }) =>
    client.query<ListedFiring>(RECENT, [scheduleIds, RECENT_FIRINGS]),
  );
  return found;
}

/** Firings in a schedule's `recent` list. */
export const RECENT_FIRINGS = 10;

// Raw: a window in each schedule, with the runs, which row-level security filters too.
const RECENT = `
select f.schedule_id as "scheduleId", f.scheduled_at as "scheduledAt", f.outcome, f.run_id as "runId", f.code, f.message,
  f.created_at as "createdAt", r.status as "runStatus"
from unnest($1::text[]) s(id), lateral (
  select * from schedule_firings where schedule_id = s.id order by created_at desc, id desc limit $2) f
left join runs r on r.id = f.run_id order by f.created_at desc, f.id desc`;

/** Deletes firings past their retention. Returns how many. */
export const pruneFirings = (everywhere: Everywhere): Promise<number> =>
  everywhere.statement(({ client }) => deleteInPortions(client, 'schedule_firings', OLD));

// One that waits has the run of another ahead, whose end may wait for a person. Without an outcome after twice as long, its workflow was lost.
const OLD = `created_at < now() - interval '${RETENTION_DAYS} days'
  and (outcome is not null or created_at < now() - interval '${2 * RETENTION_DAYS} days')`;
