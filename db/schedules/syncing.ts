import { pauseSchedule } from './firings.ts';
import type { Rows } from '../postgres/rows.ts';
import type { ScheduleRow } from './schedules.ts';

type Everywhere = Rows<undefined>;

const CLAIM_SECONDS = 10;
const PAGE_SCHEDULES = 100;

/** A schedule with changes that Temporal does not have yet, with the first characters of its key. `isHeld`: it fires by a test clock. */
export type StaleSchedule = ScheduleRow & { keyPrefix: string; isHeld: boolean };

/**
 * Claims schedules whose current form Temporal lacks: one of them, or all. Each is claimed by one process at a time, so that an earlier
 * form never follows a later one.
 */
export async function claimStale(everywhere: Everywhere, id: string | null): Promise<StaleSchedule[]> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ id: string }>(CLAIM, [id, CLAIM_SECONDS, PAGE_SCHEDULES]),
  );
  if (rows.length === 0) return [];
  return everywhere.statement(async ({ em, Schedule, ApiKey, Workspace }) => {
    const claimed = await em.find(Schedule, { id: rows.map((row) => row.id) });
    const keys = await em.find(ApiKey, { id: claimed.map(({ keyId }) => keyId) }, { fields: ['prefix'] });
    const prefixes = new Map(keys.map((key) => [key.id, key.prefix]));
    const ids = claimed.map(({ workspaceId }) => workspaceId);
    const moved = await em.find(Workspace, { id: ids, clockTargetSeconds: { $gt: 0 } }, { fields: ['id'] });
    const held = new Set(moved.map(({ id }) => id));
    return claimed.map((schedule) => ({
      ...schedule,
      keyPrefix: prefixes.get(schedule.keyId) ?? '',
      isHeld: held.has(schedule.workspaceId),
    }));
  });
}

// Raw: rows locked by another claim are skipped.
const CLAIM = `
update schedules set claimed_until = now() + $2 * interval '1 second'
where id in (
  select id from schedules where synced_revision <> revision and ($1::text is null or id = $1)
    and (claimed_until is null or claimed_until < now()) order by updated_at limit $3 for update skip locked)
returning id`;

/** The first characters of the key that pays for a schedule. */
export const readKeyPrefix = async (everywhere: Everywhere, { keyId }: ScheduleRow): Promise<string> =>
  (await everywhere.statement(({ em, ApiKey }) => em.findOne(ApiKey, { id: keyId })))?.prefix ?? '';

/** Records that Temporal has this form of a schedule, and ends the claim. A later change still has to be synchronised. */
export async function markSynced(everywhere: Everywhere, { id, revision }: ScheduleRow): Promise<void> {
  const caughtUp = { syncedRevision: revision, catchUpFrom: null, catchUpUntil: null };
  await everywhere.statement(({ em, Schedule }) => em.nativeUpdate(Schedule, { id, revision }, caughtUp));
  await releaseClaim(everywhere, id);
}

/** Pauses a schedule whose times Temporal refuses, with an event; one that is paused stays as it is. */
export const pauseRefused = (everywhere: Everywhere, { id }: ScheduleRow, fault: string): Promise<void> =>
  everywhere.transaction(async (tx) => {
    const { em, Schedule, LockMode } = tx;
    const schedule = await em.findOneOrFail(Schedule, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const message = `Its times are refused: ${fault}. Change its cron or timezone, and resume it.`;
    if (schedule.pausedAt === null) await pauseSchedule(tx, schedule, 'order', { code: 'validation_error', message });
  });

/** Ends the claim of a schedule that Temporal did not accept. */
export async function releaseClaim(everywhere: Everywhere, id: string): Promise<void> {
  await everywhere.statement(({ em, Schedule }) => em.nativeUpdate(Schedule, { id }, { claimedUntil: null }));
}

/** The ids of all schedules that Temporal must have. */
export async function listScheduleIds(everywhere: Everywhere): Promise<string[]> {
  const found = await everywhere.statement(({ em, Schedule }) =>
    em.find(Schedule, { deletedAt: null }, { fields: ['id'] }),
  );
  return found.map(({ id }) => id);
}

/** Marks schedules that Temporal has lost, so that the next synchronization creates them again. */
export async function markLost(everywhere: Everywhere, ids: string[]): Promise<void> {
  await everywhere.statement(({ em, Schedule }) =>
    em.nativeUpdate(Schedule, { id: ids, deletedAt: null }, { syncedRevision: 0 }),
  );
}
