import type { Bench } from './area.ts';
import { chatRequest } from './load.ts';
import { drivePaced } from './pacedLoad.ts';
import { addedAt, measureInTurn, measurePoint, type Point, withTargets } from './point.ts';
import { errorsRow, goalOf, type Limit, none, type Row, short } from './report.ts';
import { percentileOf } from './statistics.ts';

const PER_SECOND = 100;
const CONNECTIONS = 10;
const WARM_UP_CONNECTIONS = 64;

export type PacedPoint = Point<'p50Ms' | 'p99Ms' | 'errors'>;

/** A hundred calls a second, evenly: a small customer's day. The upstream itself is measured too, so that what a server adds is known. */
export function measurePaced({ installation, plan, onProgress }: Bench): Promise<PacedPoint> {
  onProgress(`paced, ${PER_SECOND} calls a second`);
  const request = chatRequest({ key: installation.secret, stream: false });
  // A round needs some hundred calls for its p99.
  const rounds = { ...plan, roundMs: plan.pacedMs };
  return withTargets(installation, 0, async (targets) => {
    // At this pace it takes minutes until the code is compiled.
    await measurePoint(targets, { request, connections: WARM_UP_CONNECTIONS }, { ...rounds, rounds: 0 });
    return measureInTurn(targets, rounds, async ({ url }, durationMs) => {
      const load = { url, request, connections: CONNECTIONS, perSecond: PER_SECOND };
      const { latenciesMs, errors } = await drivePaced(load, durationMs);
      return { p50Ms: percentileOf(latenciesMs, 0.5), p99Ms: percentileOf(latenciesMs, 0.99), errors };
    });
  });
}

export function rowsOfPaced(point: PacedPoint): Row[] {
  return [
    addedRow(`added p50 ms, ${PER_SECOND} calls a second`, point, 'p50Ms', { max: 0.6 }),
    addedRow(`added p99 ms, ${PER_SECOND} calls a second`, point, 'p99Ms', { max: 1.5 }),
    errorsRow('paced', [point]),
  ];
}

/** What each server adds to the upstream's answer, with a goal for ours. */
function addedRow(figure: string, point: PacedPoint, of: 'p50Ms' | 'p99Ms', goal: Limit): Row {
  const { ours, raw, koa } = addedAt(point, of);
  return { ...none, figure, ours: short(ours), raw: short(raw), koa: short(koa), ...goalOf(ours, goal) };
}
