import { Context, log } from '@temporalio/activity';
import { pruneFiles } from '../db/files/files.ts';
import { pruneKeys } from '../db/idempotency.ts';
import { cancelRevoked } from '../db/runs/cancelRun.ts';
import { pruneRuns } from '../db/runs/deleteRun.ts';
import { finishRun } from '../db/runs/finishRun.ts';
import {
  markCancelDelivered,
  readAnswered,
  readIdleSessions,
  readOpenRuns,
  readStillOpen,
  readUncancelled,
  readUnstarted,
  wakeSession,
} from '../db/runs/pendingRuns.ts';
import { pruneResponseItems } from '../db/responseItems.ts';
import { pruneEvents } from '../db/runs/events/appendEvents.ts';
import type { RunDependencies } from './dependencies.ts';

/** How many missed notifications one sweep delivered to workflows. */
export type RunSweepResult = { started: number; cancelled: number; resumed: number; terminated: number };

/** Results of the upkeep of each minute: runs without their workflow, and expired data. */
export type UpkeepResult = {
  runsLost: number;
  /** Runs whose input, output and steps were deleted. */
  runsPruned: number;
  eventsPruned: number;
  keysPruned: number;
  filesPruned: number;
  /** Histories of sweeps in Temporal. */
  sweepsPruned: number;
  /** Output items of responses. */
  itemsPruned: number;
};

const LOST_ENDING = {
  status: 'failed',
  fault: 'platform',
  code: 'internal_error',
  message: 'The run was lost. Nothing was billed.',
} as const;

const TERMINATED_ENDING = {
  status: 'failed',
  fault: 'platform',
  code: 'run_terminated',
  message: 'An operator ended the run. Nothing was billed. Start it again.',
} as const;

/** The two sweep activities that reconcile runs and their workflows. Both are idempotent and safe to run concurrently. */
export function createRunSweep({ db, workflows }: Pick<RunDependencies, 'db' | 'workflows'>) {
  const { everywhere, pool } = db;

  /** Delivers missed notifications to workflows: start, cancel, resume. */
  async function sweepRuns(): Promise<RunSweepResult> {
    await endRevoked();
    for (const { id } of await readIdleSessions(everywhere)) await wakeSession(everywhere, id);
    const started = await each(await readUnstarted(everywhere), (run) => workflows.start(run));
    const cancelled = await each(await readUncancelled(everywhere), async ({ id }) => {
      await workflows.cancel(id);
      await markCancelDelivered(everywhere, id);
    });
    const resumed = await each(await readAnswered(everywhere), ({ id }) => workflows.resume(id));
    return { started, cancelled, resumed, terminated: await endTerminated() };
  }

  // Runs that `keys revoke` did not find: of a key that was revoked in another way, or created just before.
  async function endRevoked(): Promise<void> {
    await each(
      (await cancelRevoked(db)).map(({ run }) => run),
      ({ id }) => workflows.cancel(id),
    );
  }

  async function endTerminated(): Promise<number> {
    return each(await readStillOpen(everywhere, await workflows.listTerminated()), async ({ id }) => {
      // A workflow that was ended by mistake may have been started again.
      if (await workflows.isOpen(id)) return false;
      await finishRun(db, id, TERMINATED_ENDING);
      log.warn('the workflow of a run was terminated', { runId: id });
      return true;
    });
  }

  /** Ends runs whose workflow is gone, and deletes expired data. */
  async function upkeep(): Promise<UpkeepResult> {
    return {
      runsLost: await endLost(),
      runsPruned: await pruneRuns(everywhere),
      eventsPruned: await pruneEvents(pool),
      keysPruned: await pruneKeys(everywhere),
      filesPruned: await pruneAllFiles(),
      sweepsPruned: await workflows.pruneSweeps(),
      itemsPruned: await pruneResponseItems(everywhere),
    };
  }

  async function endLost(): Promise<number> {
    let ended = 0;
    for (let afterId = ''; ;) {
      const page = await readOpenRuns(everywhere, afterId);
      ended += await each(page, async ({ id }) => {
        if (await workflows.isOpen(id)) return false;
        await finishRun(db, id, LOST_ENDING);
        log.error('a run had lost its workflow', { runId: id });
        return true;
      });
      const last = page.at(-1);
      if (!last) return ended;
      afterId = last.id;
    }
  }

  async function pruneAllFiles(): Promise<number> {
    for (let pruned = 0; ;) {
      Context.current().heartbeat(pruned);
      const count = await pruneFiles(everywhere);
      pruned += count;
      if (count === 0) return pruned;
    }
  }

  return { sweepRuns, upkeep };
}

// One failed run must not block the others; the next sweep retries it.
async function each<Item extends { id: string }>(
  items: Item[],
  work: (item: Item) => Promise<boolean | void>,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    Context.current().heartbeat(item.id);
    try {
      if ((await work(item)) !== false) done += 1;
    } catch (error) {
      log.warn('a run could not be swept', { runId: item.id, error });
    }
  }
  return done;
}
