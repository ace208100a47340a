import assert from 'node:assert/strict';
import { Context, log } from '@temporalio/activity';
import type { Database } from '../db/database.ts';
import { isPassing } from '../db/postgres/databaseErrors.ts';
import { isOfArchivedProject, readLiveKey, type Key } from '../db/keys/keys.ts';
import { readRunRow } from '../db/runs/childRuns.ts';
import { requestCancel } from '../db/runs/states/cancelRun.ts';
import { readEnd } from '../db/runs/states/pendingRuns.ts';
import { hasScope } from '../db/keys/scopes.ts';
import type { RunRow } from '../db/runs/runRow.ts';
import { beginFiring, MISSED, recordMiss, recordStart, type Miss, type NewFiring } from '../db/schedules/firings.ts';
import type { ScheduleRow } from '../db/schedules/schedules.ts';
import { errorOf } from '../orders/errors.ts';
import { RunOrder } from '../orders/order.ts';
import { placeOrder, type OrderServices, type Starter } from '../orders/place.ts';
import { OrderRefused } from '../orders/refused.ts';
import type { RunWorkflows } from './dependencies.ts';

/** Access to the schedules on a Temporal server. Each call is idempotent. */
export interface TemporalSchedules {
  /** Updates changed schedules. Returns their number. */
  sync: () => Promise<number>;
  /** Creates schedules that are missing in Temporal, and deletes those without a row. Returns their number. */
  reconcile: () => Promise<number>;
  /** Fires a schedule for a planned time; it counts as an ordinary firing. */
  fireAt: (id: string, at: Date, overlap: ScheduleRow['overlap']) => Promise<void>;
  /** The firing times in a range, in order. */
  timesBetween: (id: string, range: { after: Date; until: Date }) => Promise<Date[]>;
}

/** Services that the activities of schedules use. */
export interface ScheduleDependencies {
  db: Pick<Database, 'pool' | 'ledger' | 'everywhere'>;
  workflows: Pick<RunWorkflows, 'cancel'>;
  orders: OrderServices;
  runStarter: Starter;
  schedules: { temporal: TemporalSchedules };
}

/** How a firing ended: with a run, or without, as the overlap policy wants or for a reason. `waiting`: it has to be tried again. */
export type Fired =
  | { outcome: 'started'; runId: string }
  | { outcome: 'waiting' | 'skipped' }
  | ({ outcome: 'missed' } & Omit<Miss, 'status'>);

const KEY_ENDED: Miss = {
  status: 401,
  code: 'invalid_api_key',
  message: 'The key that made the schedule is revoked or has expired. Make the schedule again with another key.',
};

const PROJECT_ARCHIVED: Miss = {
  status: 401,
  code: 'project_archived',
  message:
    'The project of the key that made the schedule is archived. Have it restored, or make the schedule again with another key.',
};

const ATTEMPTS_MAX = 8;
const PLATFORM_FAILED: Miss = {
  status: 500,
  code: 'internal_error',
  message: 'The platform failed to create the run. Nothing was billed; the next firing tries again.',
};

/** The activities of schedules. Each is idempotent. */
export function createScheduleActivities({ db, workflows, orders, runStarter, schedules }: ScheduleDependencies) {
  const { pool, everywhere } = db;

  /** Creates the run of a firing under its chosen id, or records why there is none. */
  async function fireSchedule(fired: NewFiring): Promise<Fired> {
    const begun = await beginFiring(everywhere, fired);
    if (begun.outcome === 'gone') return MISSED;
    if (begun.outcome === 'skipped') return { outcome: 'skipped' };
    if (begun.outcome === 'waiting') {
      for (const runId of begun.replaced) await cancelScheduledRun(runId);
      return { outcome: 'waiting' };
    }
    const { schedule, firing } = begun;
    if (firing.outcome === 'started') return { outcome: 'started', runId: firing.runId };
    if (firing.outcome === 'missed') {
      assert(firing.code !== null && firing.message !== null, 'a missed firing has its reason');
      return missedAs(firing.code, firing.message);
    }
    const placed = await placeOnce(schedule, firing.runId);
    if ('run' in placed) {
      await recordStart(everywhere, firing);
      return { outcome: 'started', runId: placed.run.id };
    }
    const { miss } = placed;
    log.warn('a schedule could not create its run', { scheduleId: schedule.id, code: miss.code });
    await recordMiss(everywhere, firing, miss);
    return missedAs(miss.code, miss.message);
  }

  // An earlier attempt may have created the run, although it could not be created now. The sweep starts one without a workflow.
  async function placeOnce({ keyId, run: stored }: ScheduleRow, runId: string): ReturnType<typeof place> {
    const run = await readRunRow(pool, runId);
    if (run) return { run };
    const key = await readLiveKey(pool, keyId);
    if (key) return place(stored, key, runId);
    return { miss: (await isOfArchivedProject(pool, keyId)) ? PROJECT_ARCHIVED : KEY_ENDED };
  }

  /** Creates a run as `POST /v1/runs` does, with its checks and its hold. */
  async function place(stored: object, by: Key, runId: string): Promise<{ run: RunRow } | { miss: Miss }> {
    try {
      if (!hasScope(by, 'agents')) throw new OrderRefused({ reason: 'scope_not_allowed', scope: 'agents' });
      const order = { ...RunOrder.parse(stored), source: 'schedule' as const };
      return { run: await placeOrder({ ...orders, runStarter }, { by, runId, order }) };
    } catch (error) {
      if (error instanceof OrderRefused) return { miss: missOf(error) };
      // A permanent failure must not block the schedule's later firings. An outage has used up tries, and is none.
      if (isPassing(error) || Context.current().info.attempt < ATTEMPTS_MAX) throw error;
      log.error('the run of a schedule could not be created', { runId, error });
      return { miss: PLATFORM_FAILED };
    }
  }

  async function cancelScheduledRun(runId: string): Promise<void> {
    const { rows } = await pool.query<{ workspace_id: string }>('select workspace_id from runs where id = $1', [runId]);
    const order = { mode: 'immediate', reason: 'a newer run of the schedule replaces it' } as const;
    const cancelled = rows[0] && (await requestCancel(db, { workspaceId: rows[0].workspace_id, runId, ...order }));
    if (cancelled?.outcome === 'cancelling') await workflows.cancel(runId);
  }

  return {
    fireSchedule,
    cancelScheduledRun,
    readRunEnd: (runId: string): Promise<RunRow['status'] | null> => readEnd(everywhere, runId),
    syncSchedules: schedules.temporal.sync,
    reconcileSchedules: schedules.temporal.reconcile,
  };
}

function missOf({ refusal }: OrderRefused): Miss {
  const { status, code, message } = errorOf(refusal);
  return { status, code, message };
}

const missedAs = (code: string, message: string): Fired => ({ outcome: 'missed', code, message });
