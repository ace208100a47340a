import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { markBatchStarted } from '../../db/batches/batches.ts';
import { markEvaluationStarted } from '../../db/evaluations/evaluationRuns.ts';
import { markCancelDelivered, markStarted, readStart } from '../../db/runs/states/pendingRuns.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { findFiringOf } from '../../db/schedules/firings.ts';
import { createTurns, type TurnOf } from '../../orders/turns.ts';
import { BATCH_WORKFLOW, batchStartOf } from '../../contracts/batch.ts';
import { EVALUATION_WORKFLOW, evaluationStartOf, evaluationWorkflowId } from '../../contracts/evaluation.ts';
import { RESUME_RUN_SIGNAL, runStartOf, RUN_WORKFLOW } from '../../contracts/run.ts';
import { RUN_ENDED_SIGNAL } from '../../contracts/schedule.ts';
import { TEST_CLOCK_WORKFLOW, testClockStartOf } from '../../contracts/test.ts';
import type { Temporal } from './temporal.ts';

/** Notifies workflows of stored changes. Requests do not wait for it: the sweep delivers failed notifications. */
export interface RunStarter {
  start(run: RunRow): void;
  cancel(run: RunRow): void;
  resume(run: RunRow): void;
  /** Starts waiting runs whose turn it is, at once or after a while. */
  turn(of: TurnOf, inMs?: number): void;
  startBatch(batch: { id: string; workspaceId: string }): void;
  startEvaluation(evaluation: { id: string; workspaceId: string; agentId: string }): void;
  cancelEvaluation(id: string): void;
  moveClock(workspaceId: string): void;
  /** Resolves when every notification was delivered or has failed. */
  drained(): Promise<void>;
}

/** Starts, cancels and resumes the workflows of runs, and starts those of batches, evaluations and test clocks: a second start finds the first. */
export function createRunStarter({
  temporal,
  everywhere,
  log,
  consoleUrl,
}: {
  temporal: Temporal;
  everywhere: Database['everywhere'];
  log: Logger;
  consoleUrl: string;
}): RunStarter {
  const inFlight = new Set<Promise<void>>();

  function send(
    id: string,
    what: string,
    work: (client: Client) => Promise<unknown>,
    mark?: () => Promise<void>,
  ): void {
    const sending = temporal
      .call(work)
      .catch(ignoreEndedWorkflow)
      .then(mark)
      .catch((err: unknown) => log.warn({ err, id }, `a workflow could not be ${what}`))
      .finally(() => inFlight.delete(sending));
    inFlight.add(sending);
  }

  function startRun(run: RunRow): void {
    const start = async (client: Client) =>
      client.workflow.start(RUN_WORKFLOW, runStartOf(run, { ...(await readStart(everywhere, run.id)), consoleUrl }));
    send(run.id, 'started', start, () => markStarted(everywhere, run.id));
  }

  // No workflow tells the firing of a run that was cancelled before it began.
  function tellFiring(runId: string): void {
    send(runId, 'told of its run', async (client) => {
      const firing = await findFiringOf(everywhere, runId);
      if (firing) await client.workflow.getHandle(firing.workflowId).signal(RUN_ENDED_SIGNAL);
    });
  }

  const onLate = (err: unknown, workspaceId: string) => log.warn({ err, workspaceId }, 'the sweep starts waiting runs');
  const turns = createTurns({ everywhere, start: startRun, onError: onLate });

  function turn(of: TurnOf, inMs?: number): void {
    if (inMs !== undefined) return turns.takeIn(of.workspaceId, inMs);
    const taking = turns
      .take(of)
      .catch((err: unknown) => onLate(err, of.workspaceId))
      .finally(() => inFlight.delete(taking));
    inFlight.add(taking);
  }

  return {
    // A run that waits for its turn as well as for its session takes it.
    start: (run) => (run.waiting ? turn({ workspaceId: run.workspace_id, runId: run.id }) : startRun(run)),
    turn,
    cancel: (run) => {
      const cancel = (client: Client) => endOf(client, run);
      send(run.id, 'cancelled', cancel, () => markCancelDelivered(everywhere, run.id));
      if (run.source === 'schedule' && run.status === 'cancelled') tellFiring(run.id);
    },
    resume: (run) => {
      send(run.id, 'resumed', (client) => client.workflow.getHandle(run.id).signal(RESUME_RUN_SIGNAL));
    },
    startBatch: (batch) => {
      const start = (client: Client) => client.workflow.start(BATCH_WORKFLOW, batchStartOf(batch, consoleUrl));
      send(batch.id, 'started', start, () => markBatchStarted(everywhere, batch.id));
    },
    startEvaluation: (evaluation) => {
      const options = evaluationStartOf(evaluation, consoleUrl);
      const start = (client: Client) => client.workflow.start(EVALUATION_WORKFLOW, options);
      send(evaluation.id, 'started', start, () => markEvaluationStarted(everywhere, evaluation.id));
    },
    cancelEvaluation: (id) => {
      send(id, 'cancelled', (client) => client.workflow.getHandle(evaluationWorkflowId(id)).cancel());
    },
    moveClock: (workspaceId) => {
      const move = (client: Client) => client.workflow.start(TEST_CLOCK_WORKFLOW, testClockStartOf(workspaceId));
      send(workspaceId, 'started', move);
    },
    drained: async () => {
      turns.close();
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

// A workflow that has ended or never existed needs no message: its run's row has the result.
function ignoreEndedWorkflow(error: unknown): void {
  const { name } = error as Error;
  if (name !== 'WorkflowExecutionAlreadyStartedError' && name !== 'WorkflowNotFoundError') throw error;
}

// A workflow with a delayed start would see a cancellation only then; its run has already ended.
function endOf(client: Client, run: RunRow): Promise<unknown> {
  const handle = client.workflow.getHandle(run.id);
  const isDelayed = run.status === 'cancelled' && new Date(run.start_at) > new Date(run.completed_at!);
  return isDelayed ? handle.terminate('The run was cancelled before it began.') : handle.cancel();
}
