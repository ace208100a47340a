import { Context, log } from '@temporalio/activity';
import { cancelOrphaned, cancelRevoked } from '../db/runs/states/cancelRun.ts';
import { finishRun } from '../db/runs/states/finishRun.ts';
import {
  markCancelDelivered,
  markUnstarted,
  readAnswered,
  readIdleSessions,
  readOpenRuns,
  readStillOpen,
  readUncancelled,
  readUnstarted,
  wakeSession,
} from '../db/runs/states/pendingRuns.ts';
import { readWaitingWorkspaces } from '../db/runs/flow/upkeep.ts';
import type { Database } from '../db/database.ts';
import { markBatchStarted, readUnstartedBatches } from '../db/batches/batches.ts';
import { markEvaluationStarted, readUnstartedEvaluations } from '../db/evaluations/evaluationRuns.ts';
import { listAdvancing } from '../db/workspaces/clock.ts';
import type { BatchWorkflows, RunDependencies, TestClockWorkflows } from './dependencies.ts';
import type { EvaluationWorkflows } from './evaluations/evaluationDependencies.ts';

/** The number of missed notifications that one sweep delivered to workflows. */
type RunSweepResult = { started: number; cancelled: number; resumed: number; terminated: number };

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

/** Services that sweeps of runs use. */
export type SweepDependencies = Pick<RunDependencies, 'workflows'> & {
  db: RunDependencies['db'] & Pick<Database, 'write'>;
  batches: BatchWorkflows;
  evaluations: EvaluationWorkflows;
  clocks: TestClockWorkflows;
};

/** The activity that reconciles runs and their workflows. It is idempotent and safe to run concurrently. */
export function createRunSweep({ db, workflows, batches, evaluations, clocks }: SweepDependencies) {
  const { everywhere } = db;

  /** Delivers missed notifications to workflows: start, cancel, resume. */
  async function sweepRuns(): Promise<RunSweepResult> {
    await endUnwanted();
    for (const { id } of await readIdleSessions(everywhere)) await wakeSession(everywhere, id);
    await each(await readWaitingWorkspaces(everywhere), ({ id: workspaceId }) => workflows.turn({ workspaceId }));
    const started = await each(await readUnstarted(everywhere), (run) => workflows.start(run));
    const cancelled = await each(await readUncancelled(everywhere), async ({ id }) => {
      await workflows.cancel(id);
      await markCancelDelivered(everywhere, id);
    });
    await each(await readUnstartedBatches(everywhere), async (batch) => {
      await batches.start(batch);
      await markBatchStarted(everywhere, batch.id);
    });
    await each(await readUnstartedEvaluations(everywhere), async (evaluation) => {
      await evaluations.start(evaluation);
      if (evaluation.isCancelled) await evaluations.cancel(evaluation.id);
      await markEvaluationStarted(everywhere, evaluation.id);
    });
    await each(await listAdvancing(everywhere), ({ id }) => clocks.start(id));
    const resumed = await each(await readAnswered(everywhere), ({ id }) => workflows.resume(id));
    return { started, cancelled, resumed, terminated: await endTerminated() };
  }

  // Cancels runs that `keys revoke` missed, being created at the same moment for example, and runs that nobody waits for.
  async function endUnwanted(): Promise<void> {
    const cancelled = [...(await cancelRevoked(db)), ...(await cancelOrphaned(db))].map(({ run }) => run);
    await each(cancelled, ({ id }) => workflows.cancel(id));
  }

  async function endTerminated(): Promise<number> {
    return each(await readStillOpen(everywhere, await workflows.listTerminated()), async ({ id }) => {
      // A workflow that an operator terminated by mistake may have been restarted.
      if ((await workflows.stateOf(id)) === 'open') return false;
      await finishRun(db, id, TERMINATED_ENDING);
      log.warn('the workflow of a run was terminated', { runId: id });
      return true;
    });
  }

  return { sweepRuns };
}

/** Ends or begins again runs that have lost their workflow. */
export async function endLost({ db, workflows }: Pick<SweepDependencies, 'db' | 'workflows'>): Promise<number> {
  let ended = 0;
  for (let afterId = ''; ;) {
    const page = await readOpenRuns(db.everywhere, afterId);
    ended += await each(page, async ({ id }) => {
      const state = await workflows.stateOf(id);
      if (state === 'open') return false;
      // It may have ended since the page was read, with its workflow.
      if ((await readStillOpen(db.everywhere, [id])).length === 0) return false;
      // Steps that have their results are not carried out again.
      if (state === 'unknown') await markUnstarted(db.everywhere, id);
      else await finishRun(db, id, state === 'terminated' ? TERMINATED_ENDING : LOST_ENDING);
      log.error('a run had lost its workflow', { runId: id, beginsAgain: state === 'unknown' });
      return true;
    });
    const last = page.at(-1);
    if (!last) return ended;
    afterId = last.id;
  }
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
      log.warn('a run, batch or test clock could not be swept', { id: item.id, error });
    }
  }
  return done;
}
