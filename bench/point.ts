import { drive, untilElapsed, type Load } from './load/drive.ts';
import { cpuMicrosOf } from './processStat.ts';
import { medianOf, percentileOf } from './statistics.ts';
import { type TargetName, TARGET_NAMES, type Targets } from './targets.ts';

const SHORT_ROUNDS_EACH = 4;
const SHORT_ROUND_SHARE = 3;

/** One server under one load for one round. */
export interface Sample {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicrosPerRequest: number;
  /** Share of the time that the measured process was computing. */
  cpuShare: number;
  eventsPerSecond: number;
  firstTextP50Ms: number;
  errors: number;
}

export type Figure = keyof Sample;
export type Point = Record<TargetName, Sample[]>;

export interface Rounds {
  rounds: number;
  roundMs: number;
  /** Load before the first round that counts, so that compilers have done their work. */
  warmUpMs: number;
}

/**
 * Many short rounds in place of few long ones. What disturbs a machine often lasts a second or two: in shorter rounds all that is compared
 * meets it, and more of them are left when some did not.
 */
export function inShortRounds<Plan extends Rounds>(plan: Plan): Plan {
  return { ...plan, rounds: plan.rounds * SHORT_ROUNDS_EACH, roundMs: plan.roundMs / SHORT_ROUND_SHARE };
}

/**
 * Puts the same load on each server in turn, round after round, so that what disturbs the machine disturbs all of them.
 * A first round, as long as the plan says, lets the servers warm up and is not counted.
 */
export async function measurePoint(
  targets: Targets,
  load: Omit<Load, 'url'>,
  { rounds, roundMs, warmUpMs }: Rounds,
): Promise<Point> {
  const point: Point = { direct: [], raw: [], koa: [], ours: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of TARGET_NAMES) {
      const { url, pid } = targets[name];
      const sample = await measureOnce({ ...load, url }, pid, round === 0 ? warmUpMs : roundMs);
      if (round > 0) point[name].push(sample);
    }
  }
  return point;
}

async function measureOnce(load: Load, pid: number, roundMs: number): Promise<Sample> {
  const cpuBefore = cpuMicrosOf(pid);
  const seen = await drive(load, untilElapsed(roundMs));
  const cpuMicros = cpuMicrosOf(pid) - cpuBefore;
  return {
    requestsPerSecond: seen.answers / seen.seconds,
    p50Ms: percentileOf(seen.latenciesMs, 0.5),
    p99Ms: percentileOf(seen.latenciesMs, 0.99),
    cpuMicrosPerRequest: cpuMicros / seen.answers,
    cpuShare: cpuMicros / 1e6 / seen.seconds,
    eventsPerSecond: seen.events / seen.seconds,
    firstTextP50Ms: percentileOf(seen.firstTextMs, 0.5),
    errors: seen.errors,
  };
}

/** The median of a figure over the rounds. */
export function medianAt(point: Point, name: TargetName, figure: Figure): number {
  return medianOf(point[name].map((sample) => sample[figure]));
}

/** The median over the rounds of what our figure has more than raw-http's of the same round. */
export function surplusAt(point: Point, figure: Figure): number {
  return medianOf(point.ours.map((sample, round) => sample[figure] - point.raw[round]![figure]));
}

/** The median over the rounds of one server's figure divided by raw-http's of the same round. */
export function ratioAt(point: Point, name: TargetName, figure: Figure): number {
  return medianOf(point[name].map((sample, round) => sample[figure] / point.raw[round]![figure]));
}
