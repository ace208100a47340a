import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../stack/child.ts';
import { onCore } from './pinning.ts';

const root = join(import.meta.dirname, '..');
const graceMs = 10_000;
const startLimitMs = 20_000;
const pollMs = 2;

export interface ServerCommand {
  name: string;
  /** Arguments of Node: a script of this repository and its own. */
  args: string[];
  env?: Record<string, string>;
  core: number;
  /** Where its output goes, and where it says its address. */
  folder: string;
}

export interface RunningServer {
  name: string;
  url: string;
  pid: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

let count = 0;

/** Starts a server as a process on its core and waits until it says where it listens. Its output goes to a file, as a service's would. */
export async function startServer({ name, args, env = {}, core, folder }: ServerCommand): Promise<RunningServer> {
  const logFile = join(folder, `${name}-${++count}.log`);
  const child = await startChild({
    command: '/bin/sh',
    args: ['-c', 'log="$1"; shift; exec "$@" >"$log" 2>&1', 'sh', logFile, ...onCore(core), process.execPath, ...args],
    cwd: root,
    env,
    onStdout: () => {},
    onStderr: () => {},
    stopSignal: 'SIGTERM',
  });
  const url = await addressIn(logFile, child, name);
  return { name, url, pid: child.pid, kill: () => kill(child), stop: () => child.stop(graceMs) };
}

async function addressIn(logFile: string, child: Child, name: string): Promise<string> {
  const deadlineMs = performance.now() + startLimitMs;
  const ending = child.exited.then((phrase) => ({ phrase }));
  while (performance.now() < deadlineMs) {
    const url = await loggedAddress(logFile);
    if (url !== undefined) return url;
    const ended = await Promise.race([ending, sleep(pollMs)]);
    if (ended) throw new Error(`${name} ${ended.phrase}: ${await readFile(logFile, 'utf8')}`);
  }
  await child.stop(graceMs);
  throw new Error(`${name} did not listen within ${startLimitMs} ms`);
}

async function loggedAddress(logFile: string): Promise<string | undefined> {
  const log = await readFile(logFile, 'utf8').catch(() => '');
  const line = log.split('\n').find((text) => text.endsWith('}') && text.includes('"event":"listening"'));
  return line === undefined ? undefined : new URL((JSON.parse(line) as { url: string }).url).origin;
}

async function kill(child: Child): Promise<void> {
  process.kill(child.pid, 'SIGKILL');
  await child.exited;
}
