import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { waitAtMost } from '../../base/waiting.ts';
import { readRuns } from '../../db/runs/listRuns.ts';
import type { Key } from '../../db/keys/keys.ts';
import { readRecent } from '../../db/schedules/firings.ts';
import {
  updateSchedule,
  insertSchedule,
  removeSchedule,
  findSchedule,
  readSchedules,
  updatePaused,
  updateResumed,
  SCHEDULES_MAX,
  type ScheduleChoice,
  type ScheduleRow,
} from '../../db/schedules/schedules.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { answerPage } from '../http/page.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { conflict, validationError } from '../../base/errors/requestErrors.ts';
import { overloaded } from '../../base/errors/serviceErrors.ts';
import type { DeletedThing } from '../files/presentFile.ts';
import { findAgent, prepareRun } from '../runs/createRun.ts';
import { presentRun } from '../runs/runAnswers.ts';
import { scheduleNotFound } from '../../orders/errors.ts';
import { RunOrder } from '../../orders/order.ts';
import { checkPayingKey, seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { isEnded, presentSchedule } from './presentSchedule.ts';
import type { NewSchedule, PauseBody, ResumeBody, ScheduleChange, ScheduleListQuery } from './scheduleSchema.ts';

/**
 * `POST /v1/schedules`: creates a schedule, after checking its body like a run. The row is on disk before the answer; Temporal gets it once
 * it is reachable. Throws 409 `too_many_schedules`.
 */
export function createSchedule(services: Services): Handler<z.output<typeof NewSchedule>> {
  return async (ctx) => {
    const { paused, pause_note: pauseNote, ...input } = ctx.state.input;
    await checkRun(ctx, services, input.run);
    const id = ctx.state.resourceId;
    const rows = services.db.write(ctx.state.key.workspaceId);
    const pause = paused ? { note: pauseNote } : null;
    const made = await insertSchedule(rows, { id, by: actorOf(ctx), pause, ...(choiceOf(input) as ScheduleChoice) });
    if (made === 'too_many') throw tooMany();
    await syncNow(services, id);
    ctx.status = 201;
    ctx.set('location', `/v1/schedules/${id}`);
    // The schedule is stored: a further read could fail, and its error would make the caller create another one.
    if (made.isNew) ctx.body = await presentWith(services, made.schedule, []);
    else await answer(ctx, services, id);
  };
}

/** `GET /v1/schedules`: the schedules of the workspace, or of the caller's projects, newest first, in pages. */
export function listSchedules(services: Services): Handler<z.output<typeof ScheduleListQuery>> {
  const { db, cursors } = services;
  return (ctx) => {
    const { key } = ctx.state;
    return answerPage(ctx, cursors, {
      list: 'schedules',
      read: async (page) => {
        const { rows, hasMore } = await readSchedules(seenBy(db, key), page);
        return { rows: await present(services, key, rows), hasMore };
      },
      present: (schedule) => schedule,
    });
  };
}

/** `GET /v1/schedules/{schedule_id}`: one schedule. Throws 404 `schedule_not_found`, like all routes of a schedule. */
export function retrieveSchedule(services: Services): Handler {
  return (ctx) => answer(ctx, services, pathId(ctx, 'schedule_id'));
}

/** `PATCH /v1/schedules/{schedule_id}`: changes the sent members. Throws 403 `schedule_of_another_key`, like all that lets it spend. */
export function changeSchedule(services: Services): Handler<z.output<typeof ScheduleChange>> {
  return async (ctx) => {
    const input = ctx.state.input;
    const id = pathId(ctx, 'schedule_id');
    await checkPayer(ctx, services, await scheduleOf(ctx, services, id));
    if (input.run) await checkRun(ctx, services, input.run);
    await change(ctx, services, (rows, by) => updateSchedule(rows, id, by, choiceOf(input)));
  };
}

/** `DELETE /v1/schedules/{schedule_id}`: deletes it. Its runs continue. */
export function deleteSchedule(services: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'schedule_id');
    const rows = services.db.write(ctx.state.key.workspaceId);
    if (!(await removeSchedule(rows, id, actorOf(ctx)))) throw scheduleNotFound(id);
    await syncNow(services, id);
    ctx.body = { id, object: 'schedule', deleted: true } satisfies DeletedThing;
  };
}

/** `POST /v1/schedules/{schedule_id}/pause`: it does not fire until it is resumed. */
export function pauseSchedule(services: Services): Handler<z.output<typeof PauseBody>> {
  return (ctx) => {
    const { note } = ctx.state.input;
    return change(ctx, services, (rows, by, id) => updatePaused(rows, id, by, { note }));
  };
}

/** `POST /v1/schedules/{schedule_id}/resume`: it fires again; with `catch_up` also for missed times. */
export function resumeSchedule(services: Services): Handler<z.output<typeof ResumeBody>> {
  return async (ctx) => {
    const { catch_up: catchesUp } = ctx.state.input;
    await checkPayer(ctx, services, await scheduleOf(ctx, services));
    await change(ctx, services, (rows, by, id) => updateResumed(rows, id, by, catchesUp));
  };
}

/** `POST /v1/schedules/{schedule_id}/trigger`: fires now. Throws 409 `schedule_ended`, and 503 while Temporal does not answer. */
export function triggerSchedule(services: Services): Handler {
  return async (ctx) => {
    const schedule = await scheduleOf(ctx, services);
    await checkPayer(ctx, services, schedule);
    if (schedule.remainingRuns === 0) throw scheduleEnded();
    // Read before it fires: afterwards nothing may fail.
    const [shown] = await present(services, ctx.state.key, [schedule]);
    try {
      await services.schedules.trigger(schedule, ctx.state.resourceId);
    } catch (err) {
      throw overloaded(1000, err);
    }
    ctx.status = 202;
    ctx.body = shown;
  };
}

/** `GET /v1/schedules/{schedule_id}/runs`: its runs, newest first, in pages. */
export function listScheduleRuns(services: Services): Handler<z.output<typeof ScheduleListQuery>> {
  return async (ctx) => {
    const { id } = await scheduleOf(ctx, services);
    const rows = seenBy(services.db, ctx.state.key);
    await answerPage(ctx, services.cursors, {
      list: `schedules/${id}/runs`,
      read: async ({ after, limit }) => {
        const { runs, hasMore } = await readRuns(rows, { scheduleId: id, beforeId: after, limit });
        return { rows: runs, hasMore };
      },
      present: presentRun,
    });
  };
}

/** Changes the schedule in the path, updates Temporal, and answers with the schedule. */
async function change(
  ctx: Context,
  services: Services,
  save: (rows: ReturnType<Services['db']['write']>, by: ReturnType<typeof actorOf>, id: string) => Promise<boolean>,
): Promise<void> {
  const id = pathId(ctx, 'schedule_id');
  const isSaved = await save(services.db.write(ctx.state.key.workspaceId), actorOf(ctx), id);
  if (!isSaved) throw scheduleNotFound(id);
  await syncNow(services, id);
  await answer(ctx, services, id);
}

// Longest wait of an answer for Temporal. The call continues beyond it, and the sweep repeats failures.
const TEMPORAL_WAIT_MS = 500;

async function syncNow({ schedules, log }: Services, id: string): Promise<void> {
  const onFailure = (err: unknown) => log.warn({ err, id }, 'the sweep brings this schedule up to date');
  await waitAtMost(TEMPORAL_WAIT_MS, schedules.sync(id).catch(onFailure));
}

async function answer(ctx: Context, services: Services, id: string): Promise<void> {
  const schedule = await scheduleOf(ctx, services, id);
  [ctx.body] = await present(services, ctx.state.key, [schedule]);
}

async function scheduleOf(ctx: Context, { db }: Services, id = pathId(ctx, 'schedule_id')): Promise<ScheduleRow> {
  const schedule = await findSchedule(db.write(ctx.state.key.workspaceId), id);
  if (!schedule) throw scheduleNotFound(id);
  return schedule;
}

const checkPayer = ({ state: { key } }: Context, { db }: Services, { keyId }: ScheduleRow): Promise<void> =>
  checkPayingKey(db, key, { of: 'schedule', payerId: keyId });

async function present({ db, schedules }: Services, key: Key, rows: ScheduleRow[]) {
  const ids = rows.map(({ id }) => id);
  const all = await readRecent(seenBy(db, key), ids);
  // Of a run of another project, not even the id.
  const recent = all.filter(({ runId, runStatus }) => !key.seesProjects || runId === null || runStatus !== null);
  return Promise.all(
    rows.map((row) =>
      presentWith(
        { schedules },
        row,
        recent.filter(({ scheduleId }) => scheduleId === row.id),
      ),
    ),
  );
}

/** A schedule in its public form, with its next times if Temporal answers in time. */
async function presentWith(
  { schedules }: Pick<Services, 'schedules'>,
  row: ScheduleRow,
  recent: Awaited<ReturnType<typeof readRecent>>,
) {
  const isFiring = row.pausedAt === null && !isEnded(row);
  const late = sleep(TEMPORAL_WAIT_MS, null, { ref: false });
  const nextTimes = isFiring ? await Promise.race([schedules.nextTimes(row.id), late]) : [];
  return presentSchedule(row, { nextTimes, recent });
}

/** Refuses a body of which no run could be created now. */
async function checkRun(ctx: Context, services: Services, run: z.output<typeof NewSchedule>['run']): Promise<void> {
  const order = { ...RunOrder.parse(run), source: 'schedule' as const };
  try {
    await prepareRun(ctx, services, { order, agent: await findAgent(ctx, services, order) });
  } catch (error) {
    throw error instanceof ApiError ? withinRun(error) : error;
  }
}

/** The error, with its place inside the run's body. */
function withinRun(error: ApiError): ApiError {
  const { detail, code, status, message, param } = error;
  if (detail) {
    const placed = detail.map(({ loc: [part = 'body', ...rest], ...issue }) => ({
      ...issue,
      loc: [part, 'run', ...rest],
    }));
    return validationError(placed, code);
  }
  return new ApiError({ status, code, message, param: param === null ? 'run' : `run.${param}`, cause: error });
}

/** The columns that a body sets. */
function choiceOf(input: z.output<typeof ScheduleChange>): Partial<ScheduleChoice> {
  const dateOf = (text: string | null) => (text === null ? null : new Date(text));
  const { cron, every_seconds: everySeconds, start_at: startAt, end_at: endAt } = input;
  const chosen = {
    name: input.name,
    run: input.run,
    timezone: input.timezone,
    jitterSeconds: input.jitter_seconds,
    overlap: input.overlap,
    catchupWindowSeconds: input.catchup_window_seconds,
    remainingRuns: input.remaining_runs,
    pauseAfterMisses: input.pause_after_misses,
    ...(cron && { cron, everySeconds: null }),
    ...(everySeconds && { everySeconds, cron: null }),
    ...(startAt !== undefined && { startAt: dateOf(startAt) }),
    ...(endAt !== undefined && { endAt: dateOf(endAt) }),
  };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
}

const scheduleEnded = () =>
  conflict('schedule_ended', 'The schedule has no runs left. Change remaining_runs to go on.');

const tooMany = () =>
  conflict(
    'too_many_schedules',
    `A workspace has at most ${SCHEDULES_MAX} schedules. Delete one that you no longer need.`,
  );
