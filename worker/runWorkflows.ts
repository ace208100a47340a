import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { RunWorkflows } from '../activities/index.ts';
import type { Database } from '../db/database.ts';
import { markStarted } from '../db/runs/markDelivered.ts';
import { readStart } from '../db/runs/pendingRuns.ts';
import { resumeRunSignal, runStartOf, runWorkflow } from '../workflows/contract.ts';

/** The workflows of runs on a Temporal server. */
export function createRunWorkflows(client: Client, pool: Database['pool']): RunWorkflows {
  const handleOf = (runId: string) => client.workflow.getHandle(runId);
  return {
    start: async (run) => {
      const start = await readStart(pool, run.id);
      await client.workflow.start(runWorkflow, runStartOf(run, start)).catch(unless(isStarted));
      await markStarted(pool, run.id);
    },
    cancel: async (runId) => void (await handleOf(runId).cancel().catch(unless(isGone))),
    resume: (runId) => handleOf(runId).signal(resumeRunSignal).catch(unless(isGone)),
    isOpen: async (runId) => {
      const description = await handleOf(runId).describe().catch(unless(isGone));
      return description?.status.name === 'RUNNING';
    },
  };
}

// It was started, and has ended since.
const isStarted = (error: unknown) => error instanceof WorkflowExecutionAlreadyStartedError;

const isGone = (error: unknown) => error instanceof WorkflowNotFoundError;

const unless =
  (isFine: (error: unknown) => boolean) =>
  (error: unknown): undefined => {
    if (!isFine(error)) throw error;
    return undefined;
  };
