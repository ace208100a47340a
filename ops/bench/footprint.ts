import { setInterval as ticks, setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './area.ts';
import { chatRequest, Connection, drive, type Load } from './load.ts';
import { comparedCells, goalOf, type Limit, plainRow, type Row, short } from './report.ts';
import { type RunningServer, residentMiBOf } from './servers.ts';
import { medianOf } from './statistics.ts';

/** The memory of a server, and its time from the start of its process to the first complete answer. */
interface Footprint {
  startMs: number;
  /** Resident after the first answer and some quiet seconds. */
  idleMiB: number;
  loaded: Memory;
}

interface Memory {
  requests: number;
  peakMiB: number;
  /** Medians over the first and the last quarter of the requests. */
  earlyMiB: number;
  lateMiB: number;
}

export type FootprintFigures = Record<'raw' | 'koa' | 'ours', Footprint>;

const QUIET_MS = 4_000;
const SAMPLE_MS = 100;
const LIMIT_MS = 90_000;

export async function measureFootprint(bench: Bench): Promise<FootprintFigures> {
  const { installation, onProgress } = bench;
  const upstream = await installation.startUpstream(0);
  const measure = (name: string, start: () => Promise<RunningServer>): Promise<Footprint> => {
    onProgress(`memory and start, ${name}`);
    return footprintOf(bench, start);
  };
  try {
    return {
      raw: await measure('raw-http', () => installation.startProxy('rawHttp', upstream.url)),
      koa: await measure('bare Koa', () => installation.startProxy('bareKoa', upstream.url)),
      ours: await measure('ours', () => installation.startApi(upstream.url)),
    };
  } finally {
    await upstream.stop();
  }
}

async function footprintOf({ installation, plan }: Bench, start: () => Promise<RunningServer>): Promise<Footprint> {
  const request = chatRequest({ key: installation.secret, stream: false });
  const startsMs: number[] = [];
  // The first start fills the compile cache: those of an installation find it filled, and need less memory too.
  for (let nth = 0; nth <= plan.coldStarts; nth += 1) {
    const { server, tookMs } = await answeringServer(start, request);
    await server.stop();
    if (nth > 0) startsMs.push(tookMs);
  }
  const { server } = await answeringServer(start, request);
  await sleep(QUIET_MS);
  const idleMiB = residentMiBOf(server.pid);
  const loaded = await measureMemory(server, { request, connections: 64 }, plan.memoryRequests);
  await server.stop();
  return { startMs: medianOf(startsMs), idleMiB, loaded };
}

/** Starts a server and waits for its first complete answer. */
async function answeringServer(start: () => Promise<RunningServer>, request: Buffer) {
  const startedAtMs = performance.now();
  const server = await start();
  const connection = await Connection.open(server.url);
  const answer = await connection.exchange(request);
  const tookMs = performance.now() - startedAtMs;
  connection.close();
  if (!answer.isGood) throw new Error(`${server.name} answered its first request with ${answer.head}`);
  return { server, tookMs };
}

/** Resident memory of a server while it answers this many requests, after a warm-up of a tenth of them. */
async function measureMemory(server: RunningServer, load: Omit<Load, 'url'>, requests: number): Promise<Memory> {
  const onServer = { ...load, url: server.url };
  await drive(onServer, (seen) => seen.answers >= requests / 10);
  const samples: number[] = [];
  const stop = new AbortController();
  const sampling = sample(server.pid, samples, stop.signal);
  const endsAtMs = performance.now() + LIMIT_MS;
  const seen = await drive(onServer, ({ answers }) => answers >= requests || performance.now() > endsAtMs);
  stop.abort();
  await sampling;
  const quarter = Math.ceil(samples.length / 4);
  return {
    requests: seen.answers,
    peakMiB: Math.max(...samples),
    earlyMiB: medianOf(samples.slice(0, quarter)),
    lateMiB: medianOf(samples.slice(-quarter)),
  };
}

async function sample(pid: number, samples: number[], signal: AbortSignal): Promise<void> {
  samples.push(residentMiBOf(pid));
  try {
    for await (const _ of ticks(SAMPLE_MS, undefined, { signal })) samples.push(residentMiBOf(pid));
  } catch {
    samples.push(residentMiBOf(pid));
  }
}

export function rowsOfFootprint(figures: FootprintFigures): Row[] {
  const { requests, earlyMiB, lateMiB } = figures.ours.loaded;
  const row = (figure: string, of: (footprint: Footprint) => number, goal: Limit): Row => {
    const compared = { ours: of(figures.ours), raw: of(figures.raw), koa: of(figures.koa) };
    return { figure, ...comparedCells(compared), ...goalOf(compared.ours, goal) };
  };
  return [
    row('resident MiB, idle after the first answer', ({ idleMiB }) => idleMiB, { max: 110 }),
    row('resident MiB, loaded (peak)', ({ loaded }) => loaded.peakMiB, { max: 200 }),
    {
      ...plainRow(`resident MiB, last ÷ first quarter of ${requests} requests`, lateMiB / earlyMiB, { max: 1.1 }),
      ours: `${short(lateMiB)} ÷ ${short(earlyMiB)}`,
      ratio: (lateMiB / earlyMiB).toFixed(2),
    },
    row('ms from start to first answer', ({ startMs }) => startMs, { max: 450 }),
  ];
}
