import { moveDeployment, type MoveOrder, type MoveOutcome } from '../db/agents/moveDeployment.ts';
import { recordReminder } from '../db/agents/submission.ts';
import { checkInvariants } from '../db/invariants.ts';
import type { ReviewDependencies, RunDependencies } from './dependencies.ts';
import { createLedgerCheck, createSweepLedger } from './ledger.ts';
import { createCheckSubmission } from './review/checkSubmission.ts';
import { createPaymentActivities, type PaymentDependencies } from './payments.ts';
import { createSweepReviews } from './review/sweepReviews.ts';
import { createTrials } from './review/trials.ts';
import { createModelStep } from './run/modelStep.ts';
import { runTransitions } from './run/runTransitions.ts';
import { createToolStep } from './run/toolStep.ts';
import { createRunSweep } from './sweepRuns.ts';

export type { RunEnding } from '../db/runs/finishRun.ts';
export type { ReviewWorkflows } from './dependencies.ts';
export type { RunDependencies, RunWorkflows } from './dependencies.ts';
export type { TopupWorkflows } from './payments.ts';
export type { ModelStepResult } from './run/modelStep.ts';
export type { PauseOrder } from './run/runTransitions.ts';
export type { ToolStepDone } from './run/toolStep.ts';

/** Services that activities use. */
export type ActivityDependencies = RunDependencies & ReviewDependencies & PaymentDependencies;

/** The activities by their registered names. */
export type Activities = ReturnType<typeof createActivities>;

/** Activities of the tool queue. */
export type ToolActivities = ReturnType<typeof createToolActivities>;

/** Activities of the queue of runs, reviews and sweeps. */
export function createActivities(dependencies: ActivityDependencies) {
  return {
    checkLedger: createLedgerCheck(() => checkInvariants(dependencies.db.pool)),
    sweepLedger: createSweepLedger(dependencies.db.ledger),
    ...createRunSweep(dependencies),
    modelStep: createModelStep(dependencies),
    ...runTransitions(dependencies),
    ...createReviewActivities(dependencies),
    ...createPaymentActivities(dependencies),
  };
}

/** Activities of the tool queue, for workers whose sandbox passed its tests. */
export function createToolActivities(dependencies: RunDependencies) {
  return { toolStep: createToolStep(dependencies) };
}

/** The activities of reviews, by their registered names. Each is idempotent. */
function createReviewActivities(dependencies: ReviewDependencies) {
  const { everywhere } = dependencies.db;
  return {
    checkSubmission: createCheckSubmission(dependencies),
    ...createTrials(dependencies),
    sweepReviews: createSweepReviews(dependencies),
    moveReview: (order: MoveOrder): Promise<MoveOutcome> => moveDeployment(everywhere, order),
    remindReviewers: (reminder: { deploymentId: string; level: 'reminder' | 'escalation' }): Promise<void> =>
      recordReminder(everywhere, reminder),
  };
}
