/** A step of a rollout: its share of the new sessions, and what it needs before the next one. */
export interface StepPlan {
  percentage: number;
  /** The least number of finished runs of the version, and the least time. */
  runsMin: number;
  hoursMin: number;
}

/** What callers' runs of a version came to; null without any. */
export interface StepResults {
  runs: number;
  completionRate: number | null;
  medianCostNanos: number | null;
}

/** A step with what it saw of the version and of the default. Times are in ISO 8601. */
export interface StepRecord extends StepPlan {
  startedAt: string | null;
  endedAt: string | null;
  outcome: 'passed' | 'failed' | null;
  next: StepResults | null;
  live: StepResults | null;
}

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
