import { Context, log } from '@temporalio/activity';
import { pruneFiles } from '../db/files/deleteFiles.ts';
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
import type { RunDependencies } from './run/dependencies.ts';

/** What one sweep told workflows that had not heard of it. */
export type RunSweepResult = { started: number; cancelled: number; resumed: number; terminated: number };

/** What the upkeep of a minute found: runs without their workflow, and what was past its time. */
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

/** The two activities of the sweep that keep runs and their workflows together. Both may run again, or twice at once. */
export function createRunSweep({ db, workflows }: Pick<RunDependencies, 'db' | 'workflows'>) {
  const { pool } = db;

  /** Tells workflows what could not be told when it happened: to start, to stop, to go on. */
  async function sweepRuns(): Promise<RunSweepResult> {
    await endRevoked();
    for (const { id } of await readIdleSessions(pool)) await wakeSession(pool, id);
    const started = await each(await readUnstarted(pool), (run) => workflows.start(run));
    const cancelled = await each(await readUncancelled(pool), async ({ id }) => {
      await workflows.cancel(id);
      await markCancelDelivered(pool, id);
    });
    const resumed = await each(await readAnswered(pool), ({ id }) => workflows.resume(id));
    return { started, cancelled, resumed, terminated: await endTerminated() };
  }

  // Those that `keys revoke` did not find: of a key that was revoked otherwise, or created in the moment before.
  async function endRevoked(): Promise<void> {
    await each(
      (await cancelRevoked(db)).map(({ run }) => run),
      ({ id }) => workflows.cancel(id),
    );
  }

  async function endTerminated(): Promise<number> {
    return each(await readStillOpen(pool, await workflows.listTerminated()), async ({ id }) => {
      // One that was ended by mistake may have been started again since.
      if (await workflows.isOpen(id)) return false;
      await finishRun(db, id, TERMINATED_ENDING);
      log.warn('the workflow of a run was terminated', { runId: id });
      return true;
    });
  }

  /** Ends runs whose workflow is gone, and removes what has been kept as long as it was promised. */
  async function upkeep(): Promise<UpkeepResult> {
    return {
      runsLost: await endLost(),
      runsPruned: await pruneRuns(pool),
      eventsPruned: await pruneEvents(pool),
      keysPruned: await pruneKeys(pool),
      filesPruned: await pruneAllFiles(),
      sweepsPruned: await workflows.pruneSweeps(),
      itemsPruned: await pruneResponseItems(pool),
    };
  }

  async function endLost(): Promise<number> {
    let ended = 0;
    for (let afterId = ''; ;) {
      const page = await readOpenRuns(pool, afterId);
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
      const count = await pruneFiles(pool);
      pruned += count;
      if (count === 0) return pruned;
    }
  }

  return { sweepRuns, upkeep };
}

// What fails for one run must not keep the others waiting; the next sweep tries it again.
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
