import { join } from 'node:path';
import { until } from './until.ts';

/** The environment of a process whose wall clock is off by the first of these, and can be stepped to the others. */
export function startStepped(offsetsMs: number[]): Record<string, string> {
  const clock = join(import.meta.dirname, 'steppedClock.ts');
  return { NODE_OPTIONS: `--import=${clock}`, CLOCK_STEPS_MS: offsetsMs.join(',') };
}

/** Steps the clock of such a process to the next one, and waits until it is done. */
export async function stepClock({ pid, lines }: { pid: number; lines: string[] }): Promise<void> {
  const countSteps = () => lines.filter((line) => line.startsWith('the clock is off')).length;
  const before = countSteps();
  process.kill(pid, 'SIGUSR2');
  await until(() => countSteps() > before);
}
