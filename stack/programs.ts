import type { LineLog } from './child.ts';
import { program } from './program.ts';
import type { Part } from './supervise.ts';

/** Long enough for streams to finish or be settled. */
const drainMs = 25_000;
const modelStopMs = 5_000;

export type ProgramSetting = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  log: LineLog;
  /** Whether it is started again when its source changes. */
  isWatched: boolean;
};

/** The API as a part: up when it says that it can serve. */
export function apiPart({ isWatched, ...setting }: ProgramSetting, apiUrl: string): Part {
  const ready = { url: `${apiUrl}/readyz` };
  return program({ name: 'The API', args: argsOf('api/main.ts', isWatched), graceMs: drainMs, ready, ...setting });
}

/** The worker as a part: up when it says that it takes tasks. */
export function workerPart({ isWatched, ...setting }: ProgramSetting): Part {
  const ready = { event: 'working' };
  return program({
    name: 'The worker',
    args: argsOf('worker/main.ts', isWatched),
    graceMs: drainMs,
    ready,
    ...setting,
  });
}

/** The embedded model as a part. It keeps nothing, so it may be ended quickly. */
export function modelPart({ isWatched, ...setting }: ProgramSetting): Part {
  const ready = { event: 'listening' };
  const args = argsOf('providers/embedded/main.ts', isWatched);
  return program({ name: "The embedded model's process", args, graceMs: modelStopMs, ready, ...setting });
}

function argsOf(script: string, isWatched: boolean): string[] {
  return isWatched ? ['--watch', '--watch-preserve-output', script] : [script];
}
