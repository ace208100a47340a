/** What callers' runs of one version came to. Cancelled runs, and failures that it did not cause, are left out. */
export interface VersionResults {
  runs: number;
  completed: number;
  /** Of completed runs; null without any. */
  medianCostNanos: bigint | null;
}

/** From how many runs on a version is judged, and by how much it may be worse than the default. */
export const ROLLOUT_RULES = { runsMin: 20, completionDropMax: 0.1, costRisePercentMax: 25n };

type Verdict = { kind: 'wait' } | { kind: 'complete' } | { kind: 'roll_back'; reason: string };

/** Whether a version that is rolled out becomes the default, by its results beside those of the default. */
export function verdictOf(next: VersionResults, live: VersionResults): Verdict {
  const { runsMin, completionDropMax, costRisePercentMax } = ROLLOUT_RULES;
  if (next.runs < runsMin) return { kind: 'wait' };
  const [rate, liveRate] = [rateOf(next), rateOf(live)];
  if (live.runs > 0 && rate < liveRate - completionDropMax)
    return {
      kind: 'roll_back',
      reason: `${shareOf(rate)} of its runs completed, ${shareOf(liveRate)} of the default's.`,
    };
  const [cost, liveCost] = [next.medianCostNanos, live.medianCostNanos];
  if (cost !== null && liveCost !== null && liveCost > 0n && cost * 100n > liveCost * (100n + costRisePercentMax)) {
    const rise = ((cost - liveCost) * 100n) / liveCost;
    return { kind: 'roll_back', reason: `The median cost of its runs is ${rise} % above the default's.` };
  }
  return { kind: 'complete' };
}

const rateOf = ({ runs, completed }: VersionResults): number => (runs === 0 ? 0 : completed / runs);
const shareOf = (rate: number): string => `${Math.round(rate * 100)} %`;
