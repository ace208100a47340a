import { setInterval as ticks } from 'node:timers/promises';
import { Connection, drive, type Load } from './load.ts';
import { medianOf } from './point.ts';
import { type RunningServer, residentMiBOf } from './servers.ts';

/** Time from the start of a server's process to its first complete answer: the median of several starts, in milliseconds. */
export async function measureColdStart(
  start: () => Promise<RunningServer>,
  request: Buffer,
  starts: number,
): Promise<number> {
  const timesMs: number[] = [];
  for (let index = 0; index < starts; index += 1) {
    const startedAtMs = performance.now();
    const server = await start();
    const connection = await Connection.open(server.url);
    const answer = await connection.exchange(request);
    timesMs.push(performance.now() - startedAtMs);
    connection.close();
    await server.stop();
    if (!answer.isGood) throw new Error(`${server.name} answered its first request with ${answer.head}`);
  }
  return medianOf(timesMs);
}

export interface Memory {
  requests: number;
  peakMiB: number;
  /** Medians over the first and the last quarter of the requests. */
  earlyMiB: number;
  lateMiB: number;
}

const SAMPLE_MS = 100;
const LIMIT_MS = 90_000;

/** Resident memory of a server while it answers this many requests, after a warm-up of a tenth of them. */
export async function measureMemory(server: RunningServer, load: Omit<Load, 'url'>, requests: number): Promise<Memory> {
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
