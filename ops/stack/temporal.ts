import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { type Child, type LineLog, startChild } from './process/child.ts';
import { choosePort } from './process/port.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

export type TemporalOptions = {
  /** The folder of the server's database and ports across restarts. */
  dataDir: string;
  /** The program's path, from `findTemporalBinary`. */
  binary: string;
  namespace?: string;
  /** Fixed ports. If omitted, free ones are chosen once and stored with the data. */
  port?: number;
  uiPort?: number;
  /** Further dynamic settings of the server, as `name=value`. */
  settings?: string[];
  log: LineLog;
  /** Ends the server when it aborts. */
  signal?: AbortSignal;
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
 * Starts Temporal's development server and its Web UI on the loopback interface, with its database in a file. Resolves when the namespace
 * can be used.
 * @throws a message with instructions if the server does not start.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const { dataDir, namespace = 'default' } = options;
  const ports = await chooseTemporalPorts(dataDir, options);
  const child = await spawnServer(options, { ...ports, namespace });
  const addresses = addressesOf(ports);
  await waitUntilReady(child, addresses.address, namespace);
  return { ...addresses, pid: child.pid, exited: child.exited, stop: () => child.stop(STOP_TIMEOUT_MS) };
}

export type TemporalPorts = { port: number; uiPort: number };

/** The ports for a server with this data folder: the configured, else its previous, else the default, else free ones. */
export async function chooseTemporalPorts(
  dataDir: string,
  wanted: Partial<TemporalPorts> = {},
): Promise<TemporalPorts> {
  await mkdir(dataDir, { recursive: true });
  // Its database has the inputs of workflows in plain text, and it requires no password.
  await chmod(dataDir, 0o700);
  const port = await choosePort('Temporal', join(dataDir, 'port'), { wanted: wanted.port, preferred: 7233 });
  const uiPort = await choosePort('its UI', join(dataDir, 'uiPort'), { wanted: wanted.uiPort, preferred: 8233 });
  return { port, uiPort };
}

/** The addresses of a server with these ports: `host:port` for clients and workers, and the Web UI. */
export function addressesOf({ port, uiPort }: TemporalPorts): { address: string; uiUrl: string } {
  return { address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}` };
}

const SERVER_SETTINGS = [
  // The server's own default delays every task by 50 ms before a worker gets it.
  'history.transferProcessorMaxPollRPS=2000',
  // With the default of four partitions a worker may poll only some of them: a task in another partition then waits two seconds, and under
  // load longer. This server cannot fill even one partition.
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  // Tasks of runs with a higher priority come first. The fairness of later servers needs a migration of tasks that wait, which this one lacks.
  'matching.useNewMatcher=true',
  // A worker that schedules an activity of its own queue gets it with the answer, without a round through the queue.
  'system.enableActivityEagerExecution=true',
];

// The default is a rollback journal, synced at each commit, with fewer workflows a second. With these settings a commit survives the end of
// the server's process; after a power failure the sweep finds lost workflows by the runs' rows in PostgreSQL.
const PRAGMAS = ['journal_mode=WAL', 'synchronous=NORMAL'];

type Places = TemporalPorts & { namespace: string };

function spawnServer(options: TemporalOptions, { port, uiPort, namespace }: Places): Promise<Child> {
  const { binary, dataDir, log, signal } = options;
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)];
  args.push('--namespace', namespace, '--db-filename', join(dataDir, 'temporal.db'), '--log-level', 'warn');
  for (const setting of [...SERVER_SETTINGS, ...(options.settings ?? [])]) args.push('--dynamic-config-value', setting);
  for (const pragma of PRAGMAS) args.push('--sqlite-pragma', pragma);
  return startChild({ command: binary, args, onStdout: () => {}, onStderr: log, stopSignal: 'SIGTERM', signal });
}

async function waitUntilReady(child: Child, address: string, namespace: string): Promise<void> {
  let ending: string | undefined;
  void child.exited.then((phrase) => (ending = phrase));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await hasNamespace(address, namespace))) {
    if (ending === undefined && Date.now() < deadline) {
      await sleep(100);
      continue;
    }
    await child.stop(STOP_TIMEOUT_MS);
    throw new Error(
      `Temporal's server did not start (it ${ending ?? 'does not answer'}): see its log, or set TEMPORAL_ADDRESS.`,
    );
  }
}

// Histories stay as long as the events of runs, which can be rebuilt from them; the server's own default is a day.
const RETENTION_SECONDS = 30 * 24 * 3_600;

/** Whether the namespace exists; sets its retention. */
async function hasNamespace(address: string, namespace: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: '1s' });
    try {
      const { workflowService } = connection;
      const { config } = await workflowService.describeNamespace({ namespace });
      const kept = config!.workflowExecutionRetentionTtl!.seconds!;
      const seconds = kept.mul(0).add(RETENTION_SECONDS);
      if (!kept.eq(seconds))
        await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: { seconds } } });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
