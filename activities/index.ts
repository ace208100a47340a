import { log } from '@temporalio/activity';
import { moveDeployment, type MoveOrder, type MoveOutcome } from '../db/publishing/moveDeployment.ts';
import { advanceRollout, type RolloutStep } from '../db/publishing/rollout/advanceRollout.ts';
import { recordBrokenChecks, recordReminder } from '../db/publishing/review/submission.ts';
import { requestBatchCancel } from '../db/batches/batches.ts';
import { insertLedgerCheck } from '../db/invariants/ledgerChecks.ts';
import { checkInvariants } from '../db/invariants/invariants.ts';
import { createArchiveMonths, type ArchiveDependencies } from './archive.ts';
import { createRunLines } from './batch/runLines.ts';
import { createValidateBatch } from './batch/validateBatch.ts';
import { createWatchPart } from './batch/watchPart.ts';
import { createWriteFiles } from './batch/writeFiles.ts';
import { createEraseWorkspaces } from './eraseWorkspaces.ts';
import type { EvaluationDependencies } from './evaluations/evaluationDependencies.ts';
import { evaluationActivities } from './evaluations/evaluations.ts';
import { createGradeCase } from './evaluations/gradeCase.ts';
import type { ReviewDependencies, RunDependencies, WebhookDependencies } from './dependencies.ts';
import type { BatchDependencies } from './batch/batchDependencies.ts';
import { createTestHttpTool } from './httpTools/testHttpTool.ts';
import { createLedgerCheck, createSignDays, createSweepLedger, type SigningDependencies } from './ledger.ts';
import { createCheckSubmission } from './review/checkSubmission.ts';
import { createPaymentActivities, type PaymentDependencies } from './payments.ts';
import { createSweepReviews } from './review/sweepReviews.ts';
import { signInActivities, type SignInDependencies } from './plugins/signIns.ts';
import { createTrials } from './review/trials.ts';
import { waitingActivities } from './run/askCaller.ts';
import { childRunActivities } from './run/childRuns.ts';
import { withTries } from './run/failures.ts';
import { runTransitions } from './run/runTransitions.ts';
import { createToolStep } from './run/toolStep.ts';
import { createRunTurns, type Joining } from './run/turns.ts';
import { createSweepLoop } from './sweepLoop.ts';
import { createRunSweep, type SweepDependencies } from './sweepRuns.ts';
import { createUpkeep, type UpkeepDependencies } from './upkeep.ts';
import { createDeliverWebhook } from './webhooks/deliverWebhook.ts';
import { createScheduleActivities, type ScheduleDependencies } from './schedules.ts';
import { createTestClockActivities, type TestClockDependencies } from './testClocks.ts';
import { startWebhooks } from './webhooks/startWebhooks.ts';

export type { RunEnding } from '../db/runs/states/finishRun.ts';
export type { BatchWorkflows, ReviewWorkflows, TestClockWorkflows } from './dependencies.ts';
export type { EvaluationWorkflows } from './evaluations/evaluationDependencies.ts';
export type { RunDependencies, RunWorkflows, WebhookSending, WebhookWorkflows } from './dependencies.ts';
export type { TopupWorkflows } from './payments.ts';
export type { PauseOrder } from './run/runTransitions.ts';
export type { Waiting } from '../db/runs/waiting/askCaller.ts';
export type { WaitOrder } from '../db/runs/waiting/takeAnswers.ts';
export type { ChildOrder, ChildStarted } from './run/childRuns.ts';
export type { ToolStepDone } from './run/toolStep.ts';
export type { TurnsResult } from './run/turns.ts';

/** Services that activities use. */
export type ActivityDependencies = Joining &
  RunDependencies &
  ReviewDependencies &
  PaymentDependencies &
  SweepDependencies &
  UpkeepDependencies &
  ScheduleDependencies &
  TestClockDependencies &
  SigningDependencies &
  ArchiveDependencies &
  WebhookDependencies &
  SignInDependencies &
  EvaluationDependencies &
  BatchDependencies;

/** The activities by their registered names. */
export type Activities = ReturnType<typeof createActivities>;

/** Activities of the tool queue. */
export type ToolActivities = ReturnType<typeof createToolActivities>;

/** Activities of the queue of webhooks. */
export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** Activities of the queue of batches. */
export type BatchActivities = ReturnType<typeof createBatchActivities>;

/** Activities of the queue of runs, reviews and sweeps. */
export function createActivities(dependencies: ActivityDependencies) {
  const sweeps = {
    sweepLedger: createSweepLedger(dependencies.db.ledger, dependencies.payments !== null),
    ...createRunSweep(dependencies),
    ...createUpkeep(dependencies),
    sweepReviews: createSweepReviews(dependencies),
    startWebhooks: () => startWebhooks(dependencies, warnOfWebhook),
  };
  const schedules = createScheduleActivities(dependencies);
  const payments = createPaymentActivities(dependencies);
  const { finishRun, ...transitions } = runTransitions(dependencies);
  return {
    ...sweeps,
    ...schedules,
    ...payments,
    sweepLoop: createSweepLoop({ ...sweeps, ...schedules, ...payments }, dependencies),
    checkLedger: createLedgerCheck(
      () => checkInvariants(dependencies.db.pool),
      (outcome) => insertLedgerCheck(dependencies.db.everywhere, outcome),
    ),
    signDays: createSignDays(dependencies),
    archiveMonths: createArchiveMonths(dependencies),
    eraseDueWorkspaces: createEraseWorkspaces(dependencies),
    ...createTestClockActivities(dependencies),
    modelStep: createRunTurns(dependencies),
    ...withTries(transitions),
    // Nothing else can end a run: its tries have no end.
    finishRun,
    ...withTries(childRunActivities(dependencies)),
    ...withTries(waitingActivities(dependencies)),
    ...signInActivities(dependencies),
    ...createReviewActivities(dependencies),
    ...withTries(evaluationActivities(dependencies)),
    ...withTries({ gradeEvaluationCase: createGradeCase(dependencies) }),
  };
}

const warnOfWebhook = (error: unknown, deliveryId: string) =>
  log.warn('the workflow of a webhook could not be reached', { deliveryId, error });

/** Activities of the tool queue, for workers whose sandbox passed its tests. */
export function createToolActivities(dependencies: RunDependencies) {
  return { toolStep: createToolStep(dependencies) };
}

/** Activities of the queue of webhooks: requests to endpoints of customers, and tests of their HTTP tools. */
export function createWebhookActivities(dependencies: WebhookDependencies) {
  return { deliverWebhook: createDeliverWebhook(dependencies), testHttpTool: createTestHttpTool(dependencies) };
}

/** Activities of the queue of batches. Each may be repeated. */
export function createBatchActivities(dependencies: BatchDependencies) {
  return {
    validateBatch: createValidateBatch(dependencies),
    runBatchLines: createRunLines(dependencies),
    watchBatchPart: createWatchPart(dependencies),
    writeBatchFiles: createWriteFiles(dependencies),
    cancelBatch: async (batchId: string): Promise<void> =>
      void (await requestBatchCancel(dependencies.db.everywhere, batchId)),
  };
}

/** The activities of reviews, by their registered names. Each is idempotent. */
function createReviewActivities(dependencies: ReviewDependencies) {
  const { everywhere } = dependencies.db;
  return {
    // An operator decides without them.
    ...withTries({
      checkSubmission: createCheckSubmission(dependencies),
      ...createTrials(dependencies),
      recordBrokenChecks: (order: { deploymentId: string }): Promise<void> => recordBrokenChecks(everywhere, order),
    }),
    moveReview: (order: MoveOrder): Promise<MoveOutcome> =>
      moveDeployment(everywhere, order, dependencies.models.costsOf),
    advanceRollout: (order: { deploymentId: string }): Promise<RolloutStep> => advanceRollout(everywhere, order),
    remindReviewers: (reminder: { deploymentId: string; level: 'reminder' | 'escalation' }): Promise<void> =>
      recordReminder(everywhere, reminder),
  };
}
