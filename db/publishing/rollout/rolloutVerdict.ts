import { completionRateOf, type VersionResults } from './rolloutResults.ts';

/** By how much a version being rolled out may be worse than the default. */
export const ROLLOUT_RULES = { completionDropMax: 0.1, costRisePercentMax: 25n };

type Verdict = { kind: 'wait' } | { kind: 'pass' } | { kind: 'roll_back'; reason: string };

/**
 * Whether a version passes its step, by its results beside those of the default. A worse version is rolled back before the step's time is
 * over.
 */
export function verdictOf(
  next: VersionResults,
  live: VersionResults,
  { runsMin, isTimeOver }: { runsMin: number; isTimeOver: boolean },
): Verdict {
  const { completionDropMax, costRisePercentMax } = ROLLOUT_RULES;
  if (next.runs < runsMin) return { kind: 'wait' };
  const [rate, liveRate] = [completionRateOf(next) ?? 0, completionRateOf(live)];
  if (liveRate !== null && rate < liveRate - completionDropMax)
    return {
      kind: 'roll_back',
      reason: `${shareOf(rate)} of its runs completed, ${shareOf(liveRate)} of the default's.`,
    };
  const [cost, liveCost] = [next.medianCostNanos, live.medianCostNanos];
  if (cost !== null && liveCost !== null && liveCost > 0n && cost * 100n > liveCost * (100n + costRisePercentMax)) {
    const rise = ((cost - liveCost) * 100n) / liveCost;
    return { kind: 'roll_back', reason: `The median cost of its runs is ${rise} % above the default's.` };
  }
  return { kind: isTimeOver ? 'pass' : 'wait' };
}

const shareOf = (rate: number): string => `${Math.round(rate * 100)} %`;
