import { checkInvariants } from '../db/invariants.ts';
import { createLedgerCheck } from './checkLedger.ts';
import { createReviewActivities } from './review/index.ts';
import type { ReviewDependencies } from './review/dependencies.ts';
import type { RunDependencies } from './run/dependencies.ts';
import { createModelStep } from './run/modelStep.ts';
import { runTransitions } from './run/runTransitions.ts';
import { createToolStep } from './run/toolStep.ts';
import { createSweepLedger } from './sweep.ts';
import { createRunSweep } from './sweepRuns.ts';

export type { RunEnding } from '../db/runs/finishRun.ts';
export type { ReviewWorkflows } from './review/dependencies.ts';
export type { RunDependencies, RunWorkflows } from './run/dependencies.ts';
export type { ModelStepResult } from './run/modelStep.ts';
export type { PauseOrder } from './run/runTransitions.ts';
export type { ToolStepDone } from './run/toolStep.ts';

/** Services that activities use. */
export type ActivityDependencies = RunDependencies & ReviewDependencies;

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
  };
}

/** Activities of the tool queue, for workers whose sandbox passed its tests. */
export function createToolActivities(dependencies: RunDependencies) {
  return { toolStep: createToolStep(dependencies) };
}
