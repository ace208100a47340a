import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type {
  BatchWorkflows,
  EvaluationWorkflows,
  RunWorkflows,
  ReviewWorkflows,
  TestClockWorkflows,
  TopupWorkflows,
  WebhookWorkflows,
} from '../activities/index.ts';
import { readSubmission } from '../db/publishing/review/submission.ts';
import type { Database } from '../db/database.ts';
import type { RunRow } from '../db/runs/runRow.ts';
import { findFiringOf } from '../db/schedules/firings.ts';
import { markStarted, readStart } from '../db/runs/states/pendingRuns.ts';
import { createTurns } from '../orders/turns.ts';
import { BATCH_WORKFLOW, batchStartOf } from '../contracts/batch.ts';
import { EVALUATION_WORKFLOW, evaluationStartOf, evaluationWorkflowId } from '../contracts/evaluation.ts';
import { PLUGIN_SIGN_IN_WORKFLOW, pluginSignInStartOf } from '../contracts/pluginSignIn.ts';
import { AUTO_TOPUP_WORKFLOW, autoTopupIdOf } from '../contracts/payments.ts';
import {
  DECIDE_REVIEW_UPDATE,
  deploymentIdOf,
  reviewStartOf,
  REVIEW_WORKFLOW,
  type ReviewDecision,
  type ReviewDecisionResult,
} from '../contracts/review.ts';
import { RESUME_RUN_SIGNAL, runStartOf, RUN_WORKFLOW } from '../contracts/run.ts';
import { TASK_QUEUE, RUN_SEARCH_ATTRIBUTES, workspaceAttribute } from '../contracts/start.ts';
import { RUN_ENDED_SIGNAL } from '../contracts/schedule.ts';
import { SWEEP_WORKFLOW } from '../contracts/sweep.ts';
import { DELIVER_AGAIN_SIGNAL, WEBHOOK_WORKFLOW, webhookIdOf, webhookStartOf } from '../contracts/webhook.ts';
import { TEST_CLOCK_WORKFLOW, testClockStartOf } from '../contracts/test.ts';
import { createStartPace } from './startPace.ts';

// Longer than the delay of a sweep. The upkeep of each minute finds later ones, and those that a wrong clock of this process hides.
const TERMINATED_MS = 120_000;

const SWEEP_KEPT_MS = 3_600_000;
const SWEEPS_PRUNED_MAX = 200;

/** The workflows of runs on a Temporal server. */
export function createRunWorkflows(
  client: Client,
  { everywhere }: Pick<Database, 'everywhere'>,
  consoleUrl?: string,
): RunWorkflows {
  const handleOf = (runId: string) => client.workflow.getHandle(runId);

  async function start(run: RunRow): Promise<void> {
    const options = await readStart(everywhere, run.id);
    await client.workflow.start(RUN_WORKFLOW, runStartOf(run, { ...options, consoleUrl })).catch(unless(isStarted));
    await markStarted(everywhere, run.id);
  }

  // The sweep takes the turns that were not taken.
  const turns = createTurns({ everywhere, start, onError: () => {} });
  return {
    start: (run) => (run.waiting ? turns.take({ workspaceId: run.workspace_id, runId: run.id }) : start(run)),
    turn: (of) => turns.take(of),
    turnIn: (workspaceId, inMs) => turns.takeIn(workspaceId, inMs),
    cancel: async (runId) => void (await handleOf(runId).cancel().catch(unless(isGone))),
    tellFiring: async (runId) => {
      const firing = await findFiringOf(everywhere, runId);
      if (firing) await handleOf(firing.workflowId).signal(RUN_ENDED_SIGNAL).catch(unless(isGone));
    },
    resume: (runId, childId) =>
      handleOf(runId)
        .signal(RESUME_RUN_SIGNAL, ...(childId === undefined ? [] : [childId]))
        .catch(unless(isGone)),
    stateOf: async (runId) => {
      const description = await handleOf(runId).describe().catch(unless(isGone));
      if (!description) return 'unknown';
      const { name } = description.status;
      if (name === 'RUNNING') return 'open';
      return name === 'TERMINATED' || name === 'TIMED_OUT' ? 'terminated' : 'ended';
    },
    listTerminated: async () => {
      const since = new Date(Date.now() - TERMINATED_MS).toISOString();
      const query = `WorkflowType = '${RUN_WORKFLOW}' AND ExecutionStatus IN ('Terminated', 'TimedOut') AND CloseTime > '${since}'`;
      return Array.fromAsync(client.workflow.list({ query }), ({ workflowId }) => workflowId);
    },
    revokeSignIn: async ({ workspaceId, pluginId }) => {
      const start = pluginSignInStartOf({ part: 'revoke', workspaceId, pluginId }, workspaceId);
      await client.workflow.start(PLUGIN_SIGN_IN_WORKFLOW, start);
    },
    pruneSweeps: () => pruneSweeps(client),
    deleteHistories: (workspaceId, onProgress) => deleteHistories(client, workspaceId, onProgress),
  };
}

// Useless after a day: with the retention of runs they would fill most of Temporal's storage. Earlier versions had one every five seconds.
async function pruneSweeps(client: Client): Promise<number> {
  const before = new Date(Date.now() - SWEEP_KEPT_MS).toISOString();
  const query = `WorkflowType IN ('sweep', '${SWEEP_WORKFLOW}') AND ExecutionStatus != 'Running' AND CloseTime < '${before}'`;
  let pruned = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: SWEEPS_PRUNED_MAX })) {
    await deleteHistory(client, { workflowId, runId });
    pruned += 1;
    if (pruned === SWEEPS_PRUNED_MAX) break;
  }
  return pruned;
}

// Workflows other than runs may wait for days, for example for the next attempt of a delivery: a deletion terminates them. An activity of
// one that was deleted may still start another: the erasure is over when a later call finds none.
async function deleteHistories(client: Client, workspaceId: string, onProgress: () => void): Promise<number> {
  const query = `${RUN_SEARCH_ATTRIBUTES.workspace} = '${workspaceId}'`;
  let found = 0;
  for await (const execution of client.workflow.list({ query })) {
    onProgress();
    found += 1;
    const isOpenRun = execution.type === RUN_WORKFLOW && execution.status.name === 'RUNNING';
    if (!isOpenRun) await deleteHistory(client, execution);
  }
  return found;
}

// A workflow deleted a moment ago may still be listed.
async function deleteHistory(
  { workflowService, options: { namespace } }: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<void> {
  await workflowService
    .deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } })
    .catch(unless(isUnknownExecution));
}

// gRPC's code.
const NOT_FOUND = 5;
const isUnknownExecution = (error: unknown) => (error as { code?: number }).code === NOT_FOUND;

// The workflow was started earlier and has ended.
const isStarted = (error: unknown) => error instanceof WorkflowExecutionAlreadyStartedError;

const isGone = (error: unknown) => error instanceof WorkflowNotFoundError;

const unless =
  (isFine: (error: unknown) => boolean) =>
  (error: unknown): undefined => {
    if (!isFine(error)) throw error;
    return undefined;
  };

/** The workflows of automatic payments on a Temporal server. */
export function createTopupWorkflows(client: Client): TopupWorkflows {
  return {
    start: async (workspaceId) => {
      const start = {
        taskQueue: TASK_QUEUE,
        workflowId: autoTopupIdOf(workspaceId),
        args: [workspaceId],
        staticSummary: `Automatic payment of ${workspaceId}`,
        typedSearchAttributes: [workspaceAttribute(workspaceId)],
      };
      await client.workflow.start(AUTO_TOPUP_WORKFLOW, start).catch(unless(isStarted));
    },
  };
}

// Deliveries of an endpoint that do not wait behind a flood of another one.
const USUAL_PER_MINUTE = 60;

/** The workflows of webhooks on a Temporal server. */
export function createWebhookWorkflows(client: Client): WebhookWorkflows {
  const isUsual = createStartPace(USUAL_PER_MINUTE);
  return {
    start: async ({ eventId, endpointId, workspaceId }, { isAgain, isFlood = false }) => {
      const pace = isUsual(endpointId) && !isFlood ? 'usual' : 'flood';
      const start = webhookStartOf({ eventId, endpointId, workspaceId }, pace);
      if (isAgain) await client.workflow.signalWithStart(WEBHOOK_WORKFLOW, { ...start, signal: DELIVER_AGAIN_SIGNAL });
      else await client.workflow.start(WEBHOOK_WORKFLOW, start);
    },
    cancel: async (delivery) =>
      void (await client.workflow.getHandle(webhookIdOf(delivery)).cancel().catch(unless(isGone))),
  };
}

/** The workflows of batches on a Temporal server. */
export function createBatchWorkflows(client: Client, consoleUrl?: string): BatchWorkflows {
  return {
    start: async (batch) => {
      await client.workflow.start(BATCH_WORKFLOW, batchStartOf(batch, consoleUrl)).catch(unless(isStarted));
    },
  };
}

/** The workflows of evaluations on a Temporal server. */
export function createEvaluationWorkflows(client: Client, consoleUrl?: string): EvaluationWorkflows {
  return {
    start: async (evaluation) => {
      const start = evaluationStartOf(evaluation, consoleUrl);
      await client.workflow.start(EVALUATION_WORKFLOW, start).catch(unless(isStarted));
    },
    cancel: async (id) => {
      await client.workflow.getHandle(evaluationWorkflowId(id)).cancel().catch(unless(isGone));
    },
  };
}

/** The workflows of test clocks on a Temporal server. */
export const createTestClockWorkflows = (client: Client): TestClockWorkflows => ({
  start: async (workspaceId) => {
    await client.workflow.start(TEST_CLOCK_WORKFLOW, testClockStartOf(workspaceId)).catch(unless(isStarted));
  },
});

/** The workflows of reviews on a Temporal server. */
export function createReviewWorkflows(
  client: Client,
  { everywhere }: Pick<Database, 'everywhere'>,
  consoleUrl?: string,
): ReviewWorkflows {
  return {
    start: async (deploymentId) => {
      try {
        const start = reviewStartOf(deploymentId, await readSubmission(everywhere, deploymentId), consoleUrl);
        await client.workflow.start(REVIEW_WORKFLOW, start);
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
    listOpen: async () => {
      const query = `WorkflowType = '${REVIEW_WORKFLOW}' AND ExecutionStatus = 'Running'`;
      return Array.fromAsync(client.workflow.list({ query }), ({ workflowId }) => ({
        workflowId,
        deploymentId: deploymentIdOf(workflowId),
      }));
    },
    notifyDecided: async (workflowId) => {
      // A decided deployment does not change again: the workflow reads its state and ends.
      const by = { operatorKeyId: 'system', requestId: 'sweep' };
      const args: [ReviewDecision] = [{ move: 'withdraw', feedback: [], by }];
      const handle = client.workflow.getHandle(workflowId);
      await handle.executeUpdate<ReviewDecisionResult, [ReviewDecision]>(DECIDE_REVIEW_UPDATE, { args });
    },
  };
}
