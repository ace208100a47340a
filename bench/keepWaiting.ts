import { percentileOf } from './statistics.ts';

export interface Rate {
  perSecond: number;
  p50Ms: number;
}

/** Runs so many concurrent loops of a piece of work for a period. */
export async function keepWaiting(waiters: number, durationMs: number, work: () => Promise<unknown>): Promise<Rate> {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const repeat = async (): Promise<void> => {
    while (performance.now() - startedAtMs < durationMs) {
      const beganAtMs = performance.now();
      await work();
      latenciesMs.push(performance.now() - beganAtMs);
    }
  };
  await Promise.all(Array.from({ length: waiters }, repeat));
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { perSecond: latenciesMs.length / seconds, p50Ms: percentileOf(latenciesMs, 0.5) };
}
