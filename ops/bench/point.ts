import type { Installation } from './installation.ts';
import { drive, untilElapsed, type Load } from './load.ts';
import { cpuMicrosOf, type RunningServer } from './servers.ts';

const SHORT_ROUNDS_EACH = 4;
const SHORT_ROUND_SHARE = 3;

/** One server under one load for one round. */
interface Sample {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicrosPerRequest: number;
  /** Share of the time in which the measured process used the CPU. */
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
  /** Load before the first counted round, so that the code is compiled. */
  warmUpMs: number;
}

/**
 * Many short rounds instead of few long ones. A disturbance of the machine often lasts a second or two: short rounds spread it over all
 * servers, and leave more undisturbed rounds.
 */
export function inShortRounds<Plan extends Rounds>(plan: Plan): Plan {
  return { ...plan, rounds: plan.rounds * SHORT_ROUNDS_EACH, roundMs: plan.roundMs / SHORT_ROUND_SHARE };
}

/**
 * Puts the same load on each server in turn, round after round, so that disturbances of the machine affect all of them. The first round is
 * a warm-up and is not counted.
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

/** The median over the rounds of the difference between our figure and raw-http's in the same round. */
export function surplusAt(point: Point, figure: Figure): number {
  return medianOf(point.ours.map((sample, round) => sample[figure] - point.raw[round]![figure]));
}

/** The median over the rounds of the ratio between a server's figure and raw-http's in the same round. */
export function ratioAt(point: Point, name: TargetName, figure: Figure): number {
  return medianOf(point[name].map((sample, round) => sample[figure] / point.raw[round]![figure]));
}

/** The measured servers, all in front of one upstream. */
interface Targets {
  /** The upstream itself, without a proxy. */
  direct: RunningServer;
  raw: RunningServer;
  koa: RunningServer;
  ours: RunningServer;
}

type TargetName = keyof Targets;
export const TARGET_NAMES: TargetName[] = ['direct', 'raw', 'koa', 'ours'];

/** Starts an upstream that waits `delayMs` before each chunk, and the measured servers in front of it, for the duration of `work`. */
export async function withTargets<T>(
  installation: Installation,
  delayMs: number,
  work: (targets: Targets) => Promise<T>,
): Promise<T> {
  const upstream = await installation.startUpstream(delayMs);
  const started: RunningServer[] = [upstream];
  const keep = async (starting: Promise<RunningServer>): Promise<RunningServer> => {
    const server = await starting;
    started.push(server);
    return server;
  };
  try {
    const raw = await keep(installation.startProxy('rawHttp', upstream.url));
    const koa = await keep(installation.startProxy('bareKoa', upstream.url));
    const ours = await keep(installation.startApi(upstream.url));
    return await work({ direct: upstream, raw, koa, ours });
  } finally {
    for (const server of started.toReversed()) await server.stop();
  }
}

/** The middle value; for an even number of values, the mean of the two middle ones. NaN without values. */
export function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** The value below which `share` (0 to 1) of the values lie. NaN without values. */
export function percentileOf(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
