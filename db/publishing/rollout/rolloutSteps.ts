import type { StepPlan, StepRecord, StepResults } from '../../entities/agent.ts';

export type { StepPlan, StepRecord, StepResults };

/** What a plan may say. */
export const STEP_BOUNDS = { stepsMax: 10, runsMin: 5, runsMax: 10_000, hoursMax: 336 };

/** The plan of a rollout without a plan of its own. */
export const USUAL_STEPS: readonly StepPlan[] = [
  { percentage: 5, runsMin: 20, hoursMin: 1 },
  { percentage: 25, runsMin: 20, hoursMin: 6 },
  { percentage: 50, runsMin: 20, hoursMin: 12 },
  { percentage: 100, runsMin: 20, hoursMin: 24 },
];

/** The usual steps from a share on, which is the first one. */
export function usualStepsFrom(percentage: number): StepPlan[] {
  const before = USUAL_STEPS.findLast((step) => step.percentage <= percentage) ?? USUAL_STEPS[0]!;
  return [{ ...before, percentage }, ...USUAL_STEPS.filter((step) => step.percentage > percentage)];
}

/** A plan whose steps have not begun. */
export const notBegun = (steps: readonly StepPlan[]): StepRecord[] =>
  steps.map(({ percentage, runsMin, hoursMin }) => ({
    percentage,
    runsMin,
    hoursMin,
    startedAt: null,
    endedAt: null,
    outcome: null,
    next: null,
    live: null,
  }));

/** The place of the step that a rollout is at. */
export const currentStepIn = (steps: readonly StepRecord[]): number =>
  Math.max(
    0,
    steps.findIndex(({ endedAt }) => endedAt === null),
  );

/** The same steps, one of them changed. */
export const withStep = (steps: readonly StepRecord[], at: number, change: Partial<StepRecord>): StepRecord[] =>
  steps.map((step, index) => (index === at ? { ...step, ...change } : step));
