import { join } from 'node:path';
import type { LineLog } from './child.ts';
import type { StackConfig } from './config.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';
import { program } from './program.ts';
import type { Part } from './supervise.ts';
import { type RunningTemporal, startTemporal, type TemporalPorts } from './temporal.ts';
import { type Progress, findTemporalBinary } from './temporalBinary.ts';

/** Long enough for streams to finish or to be settled. */
const DRAIN_MS = 25_000;
const MODEL_STOP_MS = 5_000;

export type ProgramSetting = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  log: LineLog;
  /** Whether it restarts when its source changes. */
  isWatched: boolean;
};

/** The API as a part: ready when it reports that it serves. */
export function apiPart(setting: ProgramSetting, apiUrl: string): Part {
  const sources = ['api', 'base', 'db', 'providers', 'workflows'];
  const ready = { url: `${apiUrl}/readyz` };
  // The size of the young generation: see api/main.ts.
  const flags = ['--max-semi-space-size=16'];
  return program({ name: 'The API', script: 'api/main.ts', flags, sources, graceMs: DRAIN_MS, ready, ...setting });
}

/** The worker as a part: ready when it reports that it takes tasks. */
export function workerPart(setting: ProgramSetting): Part {
  const sources = ['activities', 'base', 'db', 'providers', 'sandbox', 'tools', 'worker', 'workflows'];
  const ready = { event: 'working' };
  return program({ name: 'The worker', script: 'worker/main.ts', sources, graceMs: DRAIN_MS, ready, ...setting });
}

/** The embedded model as a part. It has no state, so it may be ended quickly. */
export function modelPart(setting: ProgramSetting): Part {
  const name = "The embedded model's process";
  const script = 'model/main.ts';
  const sources = ['model', 'providers'];
  return program({ name, script, sources, graceMs: MODEL_STOP_MS, ready: { event: 'listening' }, ...setting });
}

/** PostgreSQL as a part. It keeps its port after its first start, because the others know it by then. */
export function postgresPart({ dataDir }: StackConfig, log: LineLog): Part<RunningPostgres> {
  let port: number | undefined;
  const start = async (signal: AbortSignal): Promise<RunningPostgres> => {
    const running = await startPostgres({ dataDir: join(dataDir, 'postgres'), port, log, signal });
    port = running.port;
    return running;
  };
  return { name: 'PostgreSQL', start };
}

/** Temporal's development server as a part, at ports that are chosen before it runs. Its first start may have to obtain the program. */
export function temporalPart(
  { dataDir, searchPath, temporalNamespace }: StackConfig,
  { ports, onProgress, log }: { ports: TemporalPorts; onProgress: Progress; log: LineLog },
): Part<RunningTemporal> {
  const start = async (signal: AbortSignal): Promise<RunningTemporal> => {
    const binary = await findTemporalBinary({ binDir: join(dataDir, 'bin'), searchPath, onProgress, signal });
    return startTemporal({
      dataDir: join(dataDir, 'temporal'),
      namespace: temporalNamespace,
      ...ports,
      binary,
      log,
      signal,
    });
  };
  return { name: 'Temporal', start };
}
