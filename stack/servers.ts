import { join } from 'node:path';
import type { LineLog } from './child.ts';
import type { StackConfig } from './config.ts';
import type { Progress } from './download.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';
import type { Part } from './supervise.ts';
import { type RunningTemporal, startTemporal, type TemporalPorts } from './temporal.ts';
import { findTemporalBinary } from './temporalBinary.ts';

/** PostgreSQL as a part. After its first start it keeps its port, since the others know it by then. */
export function postgresPart({ dataDir }: StackConfig, log: LineLog): Part<RunningPostgres> {
  let port: number | undefined;
  const start = async (signal: AbortSignal): Promise<RunningPostgres> => {
    const running = await startPostgres({ dataDir: join(dataDir, 'postgres'), port, log, signal });
    port = running.port;
    return running;
  };
  return { name: 'PostgreSQL', start };
}

/** Temporal's development server as a part, at ports that the others know before it is up. Its first start may have to obtain the program. */
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
