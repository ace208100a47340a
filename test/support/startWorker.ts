import { join } from 'node:path';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { startChild } from '../../ops/stack/process/child.ts';
import { apiCommand, type ApiSetting } from './startApi.ts';
import { until } from './until.ts';

const graceMs = 25_000;
const skipping = `--import=${join(import.meta.dirname, 'skipEscapeSuite.mjs')}`;

export interface RunningWorker {
  pid: number;
  lines: string[];
  /** Kills the process like an out-of-memory kill or a power failure; call `stop` afterwards. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the worker as a separate process and waits until it polls for tasks. It does not try to escape from its sandbox first. */
export async function startWorkerProcess({
  temporalAddress,
  cwd,
  ...setting
}: {
  databaseUrl: string;
  upstreamUrl: string;
  temporalAddress: string;
  /** The folder of another release of the product. */
  cwd?: string;
  catalog?: ApiSetting['catalog'];
  env?: Record<string, string>;
  enter?: string[];
}): Promise<RunningWorker> {
  const { remove, env, args, ...command } = await apiCommand(setting);
  const lines: string[] = [];
  let ending: string | undefined;
  const child = await startChild({
    ...command,
    ...(cwd !== undefined && { cwd }),
    args: [...args.slice(0, -1), skipping, 'worker/main.ts'],
    env: { PLUGIN_SECRETS_KEY: createSealingKey(), ...env, TEMPORAL_ADDRESS: temporalAddress },
    onStdout: (line) => lines.push(line),
    onStderr: (line) => lines.push(line),
    stopSignal: 'SIGTERM',
  });
  const exited = child.exited.then((phrase) => (ending = phrase));
  const stop = async (): Promise<void> => {
    await child.stop(graceMs);
    await remove();
  };
  const kill = async (): Promise<void> => {
    process.kill(child.pid, 'SIGKILL');
    await exited;
  };
  const isReady = () => lines.some((line) => line.includes('"event":"working"'));
  await until(() => ending !== undefined || isReady(), { timeoutMs: 120_000 });
  if (ending === undefined) return { pid: child.pid, lines, kill, stop };
  await stop();
  throw new Error(`the worker ${ending}:\n${lines.join('\n')}`);
}
