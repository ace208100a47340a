import { setInterval as ticks } from 'node:timers/promises';
import { drive, type Load } from './load/drive.ts';
import { residentMiBOf } from './processStat.ts';
import type { RunningServer } from './servers.ts';
import { medianOf } from './statistics.ts';

export interface Memory {
  requests: number;
  peakMiB: number;
  /** Medians over the first and the last quarter of the requests. */
  earlyMiB: number;
  lateMiB: number;
}

const SAMPLE_MS = 100;
const LIMIT_MS = 90_000;

/** Resident memory of a server while it answers so many requests, after a tenth as many to warm up. */
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
