import type { Bench } from './area.ts';
import { chatRequest, drive, type Load, untilElapsed } from './load.ts';
import {
  inShortRounds,
  type LoadFigure,
  measureInTurn,
  measurePoint,
  medianAt,
  type Point,
  surplusAt,
  withTargets,
  withTargetsOn,
} from './point.ts';
import { errorsRow, goalOf, plainRow, pointRow, type Row, short } from './report.ts';
import { residentMiBOf } from './servers.ts';
import { CHUNK_MS, CHUNKS, waysMsIn } from './stamps.ts';
import { percentileOf } from './statistics.ts';

const FREE_STREAMS = 16;
const PACED_STREAMS = 8;
const MIXED_CALLS = 64;

type StreamFigure = 'firstP50Ms' | 'firstP99Ms' | 'wayP50Ms' | 'wayP99Ms' | 'errors';

export interface StreamFigures {
  /** Streams of an upstream that does not wait between its chunks. */
  free: Point<LoadFigure>;
  /** Whole calls after them: what streams load stays in memory, and each major garbage collection marks it. */
  mixed: Point<LoadFigure>;
  /** Streams at a model's pace. */
  paced: Point<StreamFigure>;
  /** Resident memory after streams, which load the tokenizer's table. */
  residentMiB: number;
}

export async function measureStreams({ installation, plan, onProgress }: Bench): Promise<StreamFigures> {
  const request = chatRequest({ key: installation.secret, stream: true });
  onProgress(`chunks, ${FREE_STREAMS} streams`);
  const { free, residentMiB, mixed } = await withTargets(installation, 0, async (targets) => {
    const free = await measurePoint(targets, { request, connections: FREE_STREAMS }, plan);
    const residentMiB = residentMiBOf(targets.ours.pid);
    onProgress(`chat after streams, ${MIXED_CALLS} connections`);
    const chat = { request: chatRequest({ key: installation.secret, stream: false }), connections: MIXED_CALLS };
    return { free, residentMiB, mixed: await measurePoint(targets, chat, inShortRounds(plan)) };
  });
  onProgress(`chunks at ${CHUNK_MS} ms, ${PACED_STREAMS} streams`);
  const rounds = { ...plan, roundMs: plan.pacedMs };
  // Spread over the time of a stream, so that first tokens do not queue for the processor.
  const load = { request, connections: PACED_STREAMS, staggerMs: (CHUNKS * CHUNK_MS) / PACED_STREAMS };
  const paced = await withTargetsOn(installation, installation.startStamped(), (targets) =>
    measureInTurn(targets, rounds, ({ url }, durationMs) => measureStamped({ ...load, url }, durationMs)),
  );
  return { free, mixed, paced, residentMiB };
}

async function measureStamped(load: Load, durationMs: number): Promise<Record<StreamFigure, number>> {
  const waysMs: number[] = [];
  const onStreamed = (bytes: Buffer) => void waysMs.push(...waysMsIn(bytes));
  const { firstTextMs, errors } = await drive({ ...load, onStreamed }, untilElapsed(durationMs));
  return {
    firstP50Ms: percentileOf(firstTextMs, 0.5),
    firstP99Ms: percentileOf(firstTextMs, 0.99),
    wayP50Ms: percentileOf(waysMs, 0.5),
    wayP99Ms: percentileOf(waysMs, 0.99),
    errors,
  };
}

export function rowsOfStreams({ free, mixed, paced, residentMiB }: StreamFigures): Row[] {
  const row = pointRow<StreamFigure>;
  const load = `${PACED_STREAMS} streams of ${CHUNKS} chunks at ${CHUNK_MS} ms`;
  const addedMs = surplusAt(paced, { name: 'ours', over: 'raw', figure: 'firstP50Ms' });
  return [
    {
      ...row(`first token p50 ms, ${load} (ratio: ours - raw)`, { point: paced, of: 'firstP50Ms' }),
      ratio: `${short(addedMs)} ms`,
      ...goalOf(addedMs, { max: 1 }),
    },
    row(`first token p99 ms, ${load}`, { point: paced, of: 'firstP99Ms', ours: { max: 4 } }),
    row('a chunk’s way from the upstream p50 ms', { point: paced, of: 'wayP50Ms' }),
    row('a chunk’s way from the upstream p99 ms', { point: paced, of: 'wayP99Ms', ours: { max: 2 } }),
    pointRow(`chunks/s, ${FREE_STREAMS} streams`, { point: free, of: 'eventsPerSecond', ratio: { min: 0.9 } }),
    pointRow(`CPU µs a chunk, ${FREE_STREAMS} streams`, { point: free, of: 'cpuMicrosPerEvent', ours: { max: 7 } }),
    pointRow(`chat req/s after streams, ${MIXED_CALLS} connections`, {
      point: mixed,
      of: 'requestsPerSecond',
      ratio: { min: 0.85 },
    }),
    pointRow(`CPU µs a request after streams, ${MIXED_CALLS} connections`, {
      point: mixed,
      of: 'cpuMicrosPerRequest',
      ratio: { max: 0.95 },
    }),
    plainRow('PostgreSQL CPU µs a stream', medianAt(free, 'ours', 'databaseMicrosPerRequest')),
    errorsRow('streams', [free, mixed, paced]),
    plainRow('resident MiB after streams', residentMiB),
  ];
}
