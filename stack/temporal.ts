import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { type Child, type LineLog, startChild } from './child.ts';
import { keptPort } from './port.ts';

const startTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;

export type TemporalOptions = {
  /** The folder that keeps the server's database and ports between starts. */
  dataDir: string;
  /** The program, as `findTemporalBinary` found it. */
  binary: string;
  namespace?: string;
  log: LineLog;
};

export type RunningTemporal = {
  /** `host:port` for clients and workers. */
  address: string;
  uiUrl: string;
  pid: number;
  exited: Promise<string>;
  stop(): Promise<void>;
};

/**
 * Starts Temporal's development server and its Web UI on the loopback interface, with its database in a file.
 * Resolves when the namespace can be used.
 * @throws a sentence that says what to do when the server does not start.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const { dataDir, namespace = 'default' } = options;
  await mkdir(dataDir, { recursive: true });
  const port = await keptPort(join(dataDir, 'port'), 7233);
  const uiPort = await keptPort(join(dataDir, 'uiPort'), 8233);
  const child = await spawnServer(options, { port, uiPort, namespace });
  const address = `127.0.0.1:${port}`;
  await waitUntilReady(child, address, namespace);
  const uiUrl = `http://127.0.0.1:${uiPort}`;
  return { address, uiUrl, pid: child.pid, exited: child.exited, stop: () => child.stop(stopTimeoutMs) };
}

type Places = { port: number; uiPort: number; namespace: string };

function spawnServer({ binary, dataDir, log }: TemporalOptions, { port, uiPort, namespace }: Places): Promise<Child> {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)];
  args.push('--namespace', namespace, '--db-filename', join(dataDir, 'temporal.db'), '--log-level', 'warn');
  // The server's own default makes every task wait 50 ms for the queue that hands it to a worker.
  args.push('--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000');
  return startChild({ command: binary, args, onStdout: () => {}, onStderr: log, stopSignal: 'SIGTERM' });
}

async function waitUntilReady(child: Child, address: string, namespace: string): Promise<void> {
  let ending: string | undefined;
  void child.exited.then((phrase) => (ending = phrase));
  const deadline = Date.now() + startTimeoutMs;
  while (!(await hasNamespace(address, namespace))) {
    if (ending === undefined && Date.now() < deadline) {
      await sleep(100);
      continue;
    }
    await child.stop(stopTimeoutMs);
    throw new Error(
      `Temporal's server did not start (it ${ending ?? 'does not answer'}): see its log, or set TEMPORAL_ADDRESS.`,
    );
  }
}

async function hasNamespace(address: string, namespace: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: '1s' });
    try {
      await connection.workflowService.describeNamespace({ namespace });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
