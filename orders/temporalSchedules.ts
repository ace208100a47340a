import type { Client } from '@temporalio/client';
import {
  claimStale,
  listScheduleIds,
  markLost,
  markSynced,
  pauseRefused,
  readKeyPrefix,
  releaseClaim,
  type StaleSchedule,
} from '../db/schedules/syncing.ts';
import { echoesOf, type SkippedTimes } from '../db/schedules/clockChanges.ts';
import type { Database } from '../db/database.ts';
import type { ScheduleRow } from '../db/schedules/schedules.ts';
import {
  handFiringOf,
  OVERLAP_POLICIES,
  SCHEDULED_RUN_WORKFLOW,
  scheduleIdOf,
  temporalScheduleIdOf,
  temporalScheduleOf,
  type ScheduleOverlap,
} from '../contracts/schedule.ts';

/** Calls Temporal: the API with a timeout, the worker on its own connection. */
type Call = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

export type TemporalSchedules = ReturnType<typeof createTemporalSchedules>;

/** Keeps the schedules in Temporal in sync with their rows. The sweep repairs failures. */
export function createTemporalSchedules(call: Call, { everywhere }: Pick<Database, 'everywhere'>) {
  /** Updates one changed schedule or all of them. Returns their number. Throws when Temporal refuses one. */
  async function sync(id: string | null = null): Promise<number> {
    const stale = await claimStale(everywhere, id);
    const done = await Promise.allSettled(stale.map((schedule) => syncOne(schedule)));
    for (const one of done) if (one.status === 'rejected') throw one.reason;
    return stale.length;
  }

  async function syncOne(schedule: StaleSchedule): Promise<void> {
    try {
      await call((client) => (schedule.deletedAt ? remove(client, schedule.id) : putOrPause(client, schedule)));
      await markSynced(everywhere, schedule);
    } catch (error) {
      await releaseClaim(everywhere, schedule.id);
      throw error;
    }
  }

  /** A schedule that Temporal refuses would be refused each time: it is paused, and Temporal has it without its times. */
  async function putOrPause(client: Client, schedule: StaleSchedule): Promise<void> {
    const wanted = temporalScheduleOf({ ...schedule, skip: echoesOf(schedule, new Date()) });
    try {
      await put(client, schedule, wanted);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      await pauseRefused(everywhere, schedule, fault);
      const paused = { ...schedule, ...NO_TIMES, skip: [] };
      await put(client, paused, temporalScheduleOf(paused));
    }
  }

  /** Creates schedules that Temporal lacks, and deletes those without a row. Returns their number. */
  async function reconcile(): Promise<number> {
    const listed = new Set<string>();
    await call(async (client) => {
      for await (const { scheduleId } of client.schedule.list()) {
        const id = scheduleIdOf(scheduleId);
        if (id !== undefined) listed.add(id);
      }
    });
    // Read the rows after Temporal's list: a schedule is in Temporal only after its row.
    const wanted = new Set(await listScheduleIds(everywhere));
    const extra = [...listed].filter((id) => !wanted.has(id));
    for (const id of extra) await call((client) => remove(client, id));
    const missing = [...wanted].filter((id) => !listed.has(id));
    if (missing.length > 0) await markLost(everywhere, missing);
    return extra.length + (await sync());
  }

  return {
    sync,
    reconcile,
    /** Starts a firing now, once for one id. Not by the schedule in Temporal: of several triggers within a second it keeps one. */
    trigger: async (schedule: ScheduleRow, firingId: string): Promise<void> => {
      const start = handFiringOf({ ...schedule, keyPrefix: await readKeyPrefix(everywhere, schedule) }, firingId);
      await call((client) => client.workflow.start(SCHEDULED_RUN_WORKFLOW, start)).catch((error: unknown) => {
        if ((error as Error).name !== 'WorkflowExecutionAlreadyStartedError') throw error;
      });
    },
    fireAt: (id: string, at: Date, overlap: ScheduleOverlap): Promise<void> =>
      call((client) =>
        handleOf(client, id).backfill({
          start: new Date(at.getTime() - 1),
          end: at,
          overlap: OVERLAP_POLICIES[overlap],
        }),
      ),
    timesBetween: (id: string, range: { after: Date; until: Date }): Promise<Date[]> =>
      call((client) => timesBetween(client, id, range)),
    /** The next firing times; null when Temporal does not answer or does not have the schedule yet. */
    nextTimes: (id: string): Promise<Date[] | null> =>
      call(async (client) => (await handleOf(client, id).describe()).info.nextActionTimes).catch(() => null),
  };
}

// Of a paused schedule.
const NO_TIMES = {
  cron: null,
  everySeconds: 86_400,
  startAt: null,
  endAt: null,
  pausedAt: new Date(0),
  catchUpFrom: null,
};

const INVALID_ARGUMENT = 3;

/** What is wrong with a schedule by Temporal; undefined when the error is another one. The library has a TypeError for it, or the call's error. */
function faultOf(error: unknown): string | undefined {
  const { name, message, cause } = error as Error & { cause?: { code?: number; message: string } };
  if (name === 'TypeError') return message;
  return cause?.code === INVALID_ARGUMENT ? cause.message.replace(/^.*Invalid schedule spec: /, '') : undefined;
}

const handleOf = (client: Client, id: string) => client.schedule.getHandle(temporalScheduleIdOf(id));

// The first thousand times, computed by the server.
async function timesBetween(
  { workflowService, options: { namespace } }: Client,
  id: string,
  { after, until }: { after: Date; until: Date },
): Promise<Date[]> {
  const [startTime, endTime] = [timestampOf(after), timestampOf(until)];
  const scheduleId = temporalScheduleIdOf(id);
  const found = await workflowService.listScheduleMatchingTimes({ namespace, scheduleId, startTime, endTime });
  // They are whole seconds.
  const times = found.startTime.map(({ seconds }) => new Date(Number(seconds) * 1_000));
  return times.filter((time) => time > after && time <= until);
}

type Timestamp = NonNullable<Parameters<Client['workflowService']['listScheduleMatchingTimes']>[0]['startTime']>;

// In the service's form; its encoder also takes seconds as a plain number.
const timestampOf = (time: Date): Timestamp => ({
  seconds: Math.floor(time.getTime() / 1_000) as unknown as Timestamp['seconds'],
  nanos: (time.getTime() % 1_000) * 1_000_000,
});

async function put(
  client: Client,
  schedule: StaleSchedule,
  wanted: ReturnType<typeof temporalScheduleOf<SkippedTimes>>,
): Promise<void> {
  const scheduleId = temporalScheduleIdOf(schedule.id);
  try {
    await client.schedule.create({ scheduleId, ...wanted });
  } catch (error) {
    if ((error as Error).name !== 'ScheduleAlreadyRunning') throw error;
    await client.schedule.getHandle(scheduleId).update(() => wanted);
  }
  const { catchUpFrom: start, catchUpUntil: end, overlap } = schedule;
  if (start && end)
    await client.schedule.getHandle(scheduleId).backfill({ start, end, overlap: OVERLAP_POLICIES[overlap] });
}

async function remove(client: Client, id: string): Promise<void> {
  try {
    await handleOf(client, id).delete();
  } catch (error) {
    if ((error as Error).name !== 'ScheduleNotFoundError') throw error;
  }
}
