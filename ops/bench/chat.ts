import type { Bench } from './area.ts';
import { chatRequest } from './load.ts';
import {
  addedAt,
  inShortRounds,
  type LoadFigure,
  measurePoint,
  medianAt,
  type Point,
  type Rounds,
  withTargets,
} from './point.ts';
import { comparedCells, errorsRow, goalOf, plainRow, pointRow, type Row } from './report.ts';

export type ChatFigures = Record<'c64' | 'c16' | 'c1', Point<LoadFigure>>;

/** Whole chat calls, with 64, 16 and 1 in flight. */
export function measureChat({ installation, plan, onProgress }: Bench): Promise<ChatFigures> {
  const request = chatRequest({ key: installation.secret, stream: false });
  return withTargets(installation, 0, async (targets) => {
    const rounds = inShortRounds(plan);
    // Later points need only their connections warm: the code is compiled by then.
    const warm = { ...rounds, warmUpMs: plan.warmUpMs / 5 };
    const chatAt = (connections: number, rounds: Rounds) => {
      onProgress(`chat, ${connections} ${connections === 1 ? 'connection' : 'connections'}`);
      return measurePoint(targets, { request, connections }, rounds);
    };
    return { c64: await chatAt(64, rounds), c16: await chatAt(16, warm), c1: await chatAt(1, warm) };
  });
}

export function rowsOfChat({ c64, c16, c1 }: ChatFigures): Row[] {
  const row = pointRow<LoadFigure>;
  return [
    row('chat req/s, 64 connections', { point: c64, of: 'requestsPerSecond', ratio: { min: 0.85 } }),
    row('chat req/s, 16 connections', { point: c16, of: 'requestsPerSecond', ratio: { min: 0.65 } }),
    row('chat req/s, 1 connection', { point: c1, of: 'requestsPerSecond', ratio: { min: 0.55 } }),
    row('CPU µs a request, 64 connections', { point: c64, of: 'cpuMicrosPerRequest', ratio: { max: 0.95 } }),
    row('CPU µs a request, 16 connections', { point: c16, of: 'cpuMicrosPerRequest' }),
    row('CPU µs a request, 1 connection', { point: c1, of: 'cpuMicrosPerRequest', ours: { max: 300 } }),
    databaseRow('64 connections', c64, 25),
    databaseRow('16 connections', c16, 35),
    databaseRow('1 connection', c1, 110),
    row('busy share of the core, 64 connections', { point: c64, of: 'cpuShare' }),
    ...latencyRows({ c64, c16, c1 }),
    errorsRow('chat', [c64, c16, c1]),
  ];
}

const databaseRow = (at: string, point: Point<LoadFigure>, max: number): Row =>
  plainRow(`PostgreSQL CPU µs a call, ${at}`, medianAt(point, 'ours', 'databaseMicrosPerRequest'), { max });

function latencyRows({ c64, c16, c1 }: ChatFigures): Row[] {
  const row = pointRow<LoadFigure>;
  return [
    row('p50 ms, 64 connections', { point: c64, of: 'p50Ms' }),
    row('p99 ms, 64 connections', { point: c64, of: 'p99Ms' }),
    row('p50 ms, 16 connections', { point: c16, of: 'p50Ms' }),
    row('p99 ms, 16 connections', { point: c16, of: 'p99Ms' }),
    row('p50 ms, 1 connection', { point: c1, of: 'p50Ms' }),
    row('p99 ms, 1 connection', { point: c1, of: 'p99Ms' }),
    addedRow('added p50 ms, 1 connection', { point: c1, of: 'p50Ms', max: 4 }),
  ];
}

/** The time that each server adds to the upstream's answer, with a goal for our ratio to raw-http. */
function addedRow(figure: string, { point, of, max }: { point: Point<LoadFigure>; of: LoadFigure; max: number }): Row {
  const added = addedAt(point, of);
  return { figure, ...comparedCells(added), ...goalOf(added.ours / added.raw, { max }) };
}
