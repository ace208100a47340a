import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { markCancelDelivered, markStarted, readStart } from '../../db/runs/pendingRuns.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { RESUME_RUN_SIGNAL, runStartOf, RUN_WORKFLOW } from '../../workflows/contract.ts';
import type { Temporal } from './temporal.ts';

/** Notifies workflows of changes that are already stored. No request waits for it: the sweep delivers what fails here. */
export interface RunStarter {
  start(run: RunRow): void;
  cancel(run: RunRow): void;
  resume(run: RunRow): void;
  /** Resolves when every notification was delivered or has failed. */
  drained(): Promise<void>;
}

/** Starts, cancels and resumes the workflows of runs: workflow id = run id, so a second start finds the first. */
export function createRunStarter({
  temporal,
  everywhere,
  log,
}: {
  temporal: Temporal;
  everywhere: Database['everywhere'];
  log: Logger;
}): RunStarter {
  const telling = new Set<Promise<void>>();

  function tell(
    run: RunRow,
    what: string,
    work: (client: Client) => Promise<unknown>,
    mark?: () => Promise<void>,
  ): void {
    const told = temporal
      .call(work)
      .catch(ignoreEndedWorkflow)
      .then(mark)
      .catch((err: unknown) => log.warn({ err, runId: run.id }, `a workflow could not be ${what}`))
      .finally(() => telling.delete(told));
    telling.add(told);
  }

  return {
    start: (run) => {
      const start = async (client: Client) =>
        client.workflow.start(RUN_WORKFLOW, runStartOf(run, await readStart(everywhere, run.id)));
      tell(run, 'started', start, () => markStarted(everywhere, run.id));
    },
    cancel: (run) => {
      const cancel = (client: Client) => endOf(client, run);
      tell(run, 'cancelled', cancel, () => markCancelDelivered(everywhere, run.id));
    },
    resume: (run) => {
      tell(run, 'resumed', (client) => client.workflow.getHandle(run.id).signal(RESUME_RUN_SIGNAL));
    },
    drained: async () => void (await Promise.all(telling)),
  };
}

// A workflow that has ended or never existed needs no message: the run's row has its ending.
function ignoreEndedWorkflow(error: unknown): void {
  const { name } = error as Error;
  if (name !== 'WorkflowExecutionAlreadyStartedError' && name !== 'WorkflowNotFoundError') throw error;
}

// A workflow with a delayed start would see a cancellation only then; its run has ended already.
function endOf(client: Client, run: RunRow): Promise<unknown> {
  const handle = client.workflow.getHandle(run.id);
  const isDelayed = run.status === 'cancelled' && new Date(run.start_at) > new Date(run.completed_at!);
  return isDelayed ? handle.terminate('The run was cancelled before it began.') : handle.cancel();
}
