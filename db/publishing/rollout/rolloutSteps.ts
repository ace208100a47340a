import type { StepPlan, StepRecord } from '../../entities/agent.ts';

/** The permitted content of a plan. */
export const STEP_BOUNDS = { stepsMax: 10, runsMin: 5, runsMax: 10_000, hoursMax: 336 };

/** The default plan of a rollout. */
export const USUAL_STEPS: readonly StepPlan[] = [
  { percentage: 5, runsMin: 20, hoursMin: 1 },
  { percentage: 25, runsMin: 20, hoursMin: 6 },
  { percentage: 50, runsMin: 20, hoursMin: 12 },
  { percentage: 100, runsMin: 20, hoursMin: 24 },
];

/** The usual steps from a share on, which is the first step's. */
export function usualStepsFrom(percentage: number): StepPlan[] {
  const before = USUAL_STEPS.findLast((step) => step.percentage <= percentage) ?? USUAL_STEPS[0]!;
  return [{ ...before, percentage }, ...USUAL_STEPS.filter((step) => step.percentage > percentage)];
}

/** A plan with no step begun. */
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

/** The position of a rollout's current step. */
export const currentStepIn = (steps: readonly StepRecord[]): number =>
  Math.max(
    0,
    steps.findIndex(({ endedAt }) => endedAt === null),
  );

/** The same steps with one change. */
export const withStep = (steps: readonly StepRecord[], at: number, change: Partial<StepRecord>): StepRecord[] =>
  steps.map((step, index) => (index === at ? { ...step, ...change } : step));
