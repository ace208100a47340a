import type { DatabaseMeter } from './databaseMeter.ts';
import type { Installation } from './installation.ts';
import { drive, untilElapsed, type Load } from './load.ts';
import { cpuMicrosOf } from './machine/processor.ts';
import { type RunningServer, withParts } from './servers.ts';
import { medianOf, percentileOf } from './statistics.ts';

const SHORT_ROUNDS_EACH = 4;
const SHORT_ROUND_SHARE = 3;

/** The figures of one server under one load for one round. */
type Sample<Figure extends string> = Record<Figure, number>;
/** The samples of all servers, round by round. */
export type Point<Figure extends string> = Record<TargetName, Sample<Figure>[]>;

export type LoadFigure =
  | 'requestsPerSecond'
  | 'p50Ms'
  | 'p99Ms'
  | 'cpuMicrosPerRequest'
  /** PostgreSQL's processor time, until all calls of the round are in the ledger. Only ours has some, and Koa with a durable insert. */
  | 'databaseMicrosPerRequest'
  /** Share of the time in which the measured process used the CPU. */
  | 'cpuShare'
  | 'eventsPerSecond'
  | 'cpuMicrosPerEvent'
  | 'errors';

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

/** Keeps connections of each server busy in turn. */
export function measurePoint(targets: Targets, load: Omit<Load, 'url'>, rounds: Rounds): Promise<Point<LoadFigure>> {
  return measureInTurn(targets, rounds, (server, roundMs, database) =>
    measureOnce({ ...load, url: server.url }, { pid: server.pid, roundMs, database }),
  );
}

/**
 * Puts the same load on each server in turn, round after round, so that disturbances of the machine affect all of them. The first round is
 * a warm-up and is not counted.
 */
export async function measureInTurn<Figure extends string>(
  { database, ...servers }: Targets,
  { rounds, roundMs, warmUpMs }: Rounds,
  measure: (server: RunningServer, durationMs: number, database?: DatabaseMeter) => Promise<Sample<Figure>>,
): Promise<Point<Figure>> {
  const point: Point<Figure> = { direct: [], raw: [], koa: [], ours: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of TARGET_NAMES) {
      const durationMs = round === 0 ? warmUpMs : roundMs;
      const sample = await measure(servers[name], durationMs, USING_DATABASE.has(name) ? database : undefined);
      if (round > 0) point[name].push(sample);
    }
  }
  return point;
}

async function measureOnce(
  load: Load,
  { pid, roundMs, database }: { pid: number; roundMs: number; database?: DatabaseMeter | undefined },
): Promise<Sample<LoadFigure>> {
  const databaseBefore = database?.cpuMicros();
  const cpuBefore = cpuMicrosOf(pid);
  const seen = await drive(load, untilElapsed(roundMs));
  // What follows the answers belongs to them: the calls are posted to the ledger.
  await database?.posted();
  const cpuMicros = cpuMicrosOf(pid) - cpuBefore;
  const databaseMicros = database ? database.cpuMicros() - databaseBefore! : 0;
  return {
    requestsPerSecond: seen.answers / seen.seconds,
    p50Ms: percentileOf(seen.latenciesMs, 0.5),
    p99Ms: percentileOf(seen.latenciesMs, 0.99),
    cpuMicrosPerRequest: cpuMicros / seen.answers,
    databaseMicrosPerRequest: databaseMicros / seen.answers,
    cpuShare: cpuMicros / 1e6 / seen.seconds,
    eventsPerSecond: seen.events / seen.seconds,
    cpuMicrosPerEvent: cpuMicros / seen.events,
    errors: seen.errors,
  };
}

/** The median of a figure over the rounds. */
export function medianAt<Figure extends string>(point: Point<Figure>, name: TargetName, figure: Figure): number {
  return medianOf(point[name].map((sample) => sample[figure]));
}

/** The median over the rounds of the difference between a server's figure and another's in the same round. */
export function surplusAt<Figure extends string>(
  point: Point<Figure>,
  { name, over, figure }: { name: TargetName; over: TargetName; figure: Figure },
): number {
  return medianOf(point[name].map((sample, round) => sample[figure] - point[over][round]![figure]));
}

/** What each server adds to the upstream's own figure. */
export function addedAt<Figure extends string>(point: Point<Figure>, figure: Figure): Record<Compared, number> {
  const added = (name: Compared) => surplusAt(point, { name, over: 'direct', figure });
  return { ours: added('ours'), raw: added('raw'), koa: added('koa') };
}

/** The median over the rounds of the ratio between a server's figure and raw-http's in the same round. */
export function ratioAt<Figure extends string>(point: Point<Figure>, name: TargetName, figure: Figure): number {
  return medianOf(point[name].map((sample, round) => sample[figure] / point.raw[round]![figure]));
}

/** The measured servers, all in front of one upstream, and the meter of our database. */
interface Targets {
  /** The upstream itself, without a proxy. */
  direct: RunningServer;
  raw: RunningServer;
  koa: RunningServer;
  ours: RunningServer;
  database: DatabaseMeter;
}

export type TargetName = Exclude<keyof Targets, 'database'>;
type Compared = Exclude<TargetName, 'direct'>;
export const TARGET_NAMES: TargetName[] = ['direct', 'raw', 'koa', 'ours'];
const USING_DATABASE = new Set<TargetName>(['koa', 'ours']);

/**
 * Starts an upstream that waits `delayMs` before each chunk, and the measured servers in front of it, for the duration of `work`. `koa`: which
 * of both is measured under that name.
 */
export function withTargets<T>(
  installation: Installation,
  delayMs: number,
  work: (targets: Targets) => Promise<T>,
  koa: KoaProxy = 'bareKoa',
): Promise<T> {
  return withTargetsOn(installation, installation.startUpstream(delayMs), work, koa);
}

type KoaProxy = 'bareKoa' | 'durableKoa';

/** Starts the measured servers in front of an upstream, which ends with them after `work`. */
export function withTargetsOn<T>(
  installation: Installation,
  starting: Promise<RunningServer>,
  work: (targets: Targets) => Promise<T>,
  koaProxy: KoaProxy = 'bareKoa',
): Promise<T> {
  return withParts(async (keep) => {
    const direct = await keep(starting);
    const raw = await keep(installation.startProxy('rawHttp', direct.url));
    const koa = await keep(installation.startProxy(koaProxy, direct.url));
    const ours = await keep(installation.startApi(direct.url));
    return work({ direct, raw, koa, ours, database: installation.database });
  });
}
