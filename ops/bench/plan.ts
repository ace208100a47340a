import type { Rounds } from './point.ts';
import type { RunPlan } from './runs/runs.ts';

/** The sizes of all measurements: a full run takes at most ten minutes, a quick one four. */
export interface Plan extends Rounds {
  /** Rounds of loads at a fixed pace, which need more time for a p99. */
  pacedMs: number;
  accounts: number;
  memoryRequests: number;
  coldStarts: number;
  killAfterMs: number;
  keyedPairs: number;
  runs: RunPlan;
  batches: BatchPlan;
}

/** The sizes of the measurements of batches. */
interface BatchPlan {
  rounds: number;
  lines: number;
  liveMs: number;
  pacedMs: number;
}

export const FULL_PLAN: Plan = {
  rounds: 4,
  roundMs: 1_500,
  warmUpMs: 3_000,
  pacedMs: 3_000,
  accounts: 1_000,
  memoryRequests: 50_000,
  coldStarts: 5,
  killAfterMs: 3_000,
  keyedPairs: 500,
  runs: { rounds: 4, callsAlone: 40, runsTogether: 150, stepRuns: 60, inFlight: 50, readers: 200, readersMs: 2_000 },
  batches: { rounds: 3, lines: 5_000, liveMs: 2_000, pacedMs: 3_000 },
};
export const QUICK_PLAN: Plan = {
  rounds: 2,
  roundMs: 1_000,
  warmUpMs: 1_500,
  pacedMs: 2_000,
  accounts: 200,
  memoryRequests: 5_000,
  coldStarts: 3,
  killAfterMs: 1_500,
  keyedPairs: 100,
  runs: { rounds: 2, callsAlone: 20, runsTogether: 100, stepRuns: 30, inFlight: 50, readers: 200, readersMs: 1_000 },
  batches: { rounds: 2, lines: 1_500, liveMs: 700, pacedMs: 1_500 },
};
