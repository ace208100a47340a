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
export function apiPart(setting: ProgramSetting, apiUrl: string): Part {
  const sources = ['api', 'db', 'log', 'providers', 'workflows'];
  const ready = { url: `${apiUrl}/readyz` };
  // The size of the young generation: see api/memory.ts.
  const flags = ['--max-semi-space-size=16'];
  return program({ name: 'The API', script: 'api/main.ts', flags, sources, graceMs: drainMs, ready, ...setting });
}

/** The worker as a part: up when it says that it takes tasks. */
export function workerPart(setting: ProgramSetting): Part {
  const sources = ['activities', 'db', 'log', 'providers', 'sandbox', 'tools', 'worker', 'workflows'];
  const ready = { event: 'working' };
  return program({ name: 'The worker', script: 'worker/main.ts', sources, graceMs: drainMs, ready, ...setting });
}

/** The embedded model as a part. It keeps nothing, so it may be ended quickly. */
export function modelPart(setting: ProgramSetting): Part {
  const name = "The embedded model's process";
  const script = 'providers/embedded/main.ts';
  const sources = ['providers/embedded'];
  return program({ name, script, sources, graceMs: modelStopMs, ready: { event: 'listening' }, ...setting });
}
