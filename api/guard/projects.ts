import { limitedToProjects, ofAnotherKey } from '../../base/errors/keyErrors.ts';
import type { Database } from '../../db/database.ts';
import { maySpendBy } from '../../db/keys/keyStore.ts';
import type { Key } from '../../db/keys/keys.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { findRun } from '../../db/runs/runRow.ts';
import { findSchedule } from '../../db/schedules/schedules.ts';
import { runNotFound, scheduleNotFound } from '../../orders/errors.ts';
import { pathId } from '../body/parseWith.ts';
import { guard, type Guard } from '../context.ts';

/** The rows that a caller sees: those of its workspace, or of keys, calls, usage, runs and schedules only those of its projects. */
export const seenBy = (db: Pick<Database, 'read'>, { workspaceId, seesProjects }: Key): Rows =>
  db.read(workspaceId, seesProjects);

/**
 * Refuses callers that are limited to projects, on routes that concern the whole workspace: 403 `limited_to_projects`. Declared by the
 * routes' documentation, because a key without a project passes.
 */
export const wholeWorkspace: Guard = guard([], (ctx, next) => {
  if (ctx.state.key.seesProjects) throw limitedToProjects();
  return next();
});

/** Refuses a limited key that would spend by the key which pays for a run or a schedule: 403 `run_of_another_key`, `schedule_of_another_key`. */
export async function checkPayingKey(
  db: Pick<Database, 'pool'>,
  { keyId }: Key,
  { of, payerId }: { of: 'run' | 'schedule'; payerId: string },
): Promise<void> {
  if (!(await maySpendBy(db, keyId, payerId))) throw ofAnotherKey(of);
}

/** Refuses a run in the path of a project that the caller does not see, as if it did not exist: 404. */
export const seenRun = (db: Pick<Database, 'read'>): Guard =>
  seen(db, { parameter: 'run_id', find: findRun, absent: runNotFound });

/** The same for a schedule: it is of the project of its key, which pays for its runs. */
export const seenSchedule = (db: Pick<Database, 'read'>): Guard =>
  seen(db, { parameter: 'schedule_id', find: findSchedule, absent: scheduleNotFound });

interface Seeable {
  parameter: 'run_id' | 'schedule_id';
  find: (rows: Rows, id: string) => Promise<object | undefined>;
  absent: (id: string) => Error;
}

const seen = (db: Pick<Database, 'read'>, { parameter, find, absent }: Seeable): Guard =>
  guard([], async (ctx, next) => {
    const { key, params } = ctx.state;
    if (key.seesProjects && params[parameter] !== undefined) {
      const id = pathId(ctx, parameter);
      if (!(await find(seenBy(db, key), id))) throw absent(id);
    }
    return next();
  });
