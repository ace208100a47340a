import { mkdir } from 'node:fs/promises';
import { findProgram } from './findProgram.ts';
import { type Child, type LineLog, startChild } from './process/child.ts';

const PROGRAMS = ['valkey-server', 'redis-server'];
const START_TIMEOUT_MS = 30_000;

export type LimitsServerOptions = {
  dataDir: string;
  /** The folders that may contain the program, as in PATH. */
  searchPath: string;
  port: number;
  log: LineLog;
  signal?: AbortSignal;
};

/**
 * Starts Valkey or Redis on the loopback interface, for the limits that several API processes share. Its counts are useless after its end,
 * so nothing is written to disk.
 * @throws a message with instructions if neither program is installed, or it does not start.
 */
export async function startLimitsServer({
  dataDir,
  searchPath,
  port,
  log,
  signal,
}: LimitsServerOptions): Promise<Child> {
  const command = findLimitsProgram(searchPath);
  if (!command)
    throw new Error('Neither valkey-server nor redis-server is on the PATH: install one, or set LIMITS_REDIS_URL.');
  await mkdir(dataDir, { recursive: true });
  const ready = Promise.withResolvers<void>();
  const child = await startChild({
    command,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dataDir],
    onStdout: (line) => {
      log(line);
      if (line.includes('Ready to accept connections')) ready.resolve();
    },
    onStderr: log,
    stopSignal: 'SIGTERM',
    signal,
  });
  const late = setTimeout(() => ready.reject(new Error(`${command} does not start: see its log.`)), START_TIMEOUT_MS);
  void child.exited.then((phrase) => ready.reject(new Error(`${command} ${phrase}: see its log.`)));
  try {
    await ready.promise;
    return child;
  } catch (error) {
    await child.stop(0);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** The path of Valkey's server, else of Redis's; undefined if the folders contain neither. */
export const findLimitsProgram = (searchPath: string): string | undefined => findProgram(PROGRAMS, searchPath);
