import { execFileSync } from 'node:child_process';
import { readFileSync, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../stack/process/child.ts';

const root = join(import.meta.dirname, '..', '..');
const GRACE_MS = 10_000;
const START_LIMIT_MS = 90_000;
const POLL_MS = 2;

interface ProcessCommand {
  name: string;
  /** Arguments of Node: a script of this repository and its arguments. */
  args: string[];
  env?: Record<string, string>;
  /** Undefined: any core. */
  core?: number;
  /** The folder of its output file, which contains the readiness line. */
  folder: string;
}

export interface RunningProcess {
  name: string;
  pid: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface RunningServer extends RunningProcess {
  url: string;
}

/** Starts parts with `keep`, and stops them after `work`, the last one first, also where one did not start. */
export async function withParts<T>(
  work: (keep: <Part extends { stop(): Promise<void> }>(starting: Promise<Part>) => Promise<Part>) => Promise<T>,
): Promise<T> {
  const started: { stop(): Promise<void> }[] = [];
  try {
    return await work(async (starting) => {
      const part = await starting;
      started.push(part);
      return part;
    });
  } finally {
    for (const part of started.toReversed()) await part.stop();
  }
}

let count = 0;

/** Starts a server and waits for the line with its address. */
export async function startServer(command: ProcessCommand): Promise<RunningServer> {
  const { line, ...server } = await startProcess(command, 'listening');
  return { ...server, url: new URL((JSON.parse(line) as { url: string }).url).origin };
}

/**
 * Starts a script as a separate process and waits until it logs an event, in one line of JSON. Its output goes to a file, like a service's.
 */
export async function startProcess(
  { name, args, env = {}, core, folder }: ProcessCommand,
  event: string,
): Promise<RunningProcess & { line: string }> {
  const logFile = join(folder, `${name}-${++count}.log`);
  const pinned = core === undefined ? [] : onCore(core);
  const child = await startChild({
    command: '/bin/sh',
    args: ['-c', 'log="$1"; shift; exec "$@" >"$log" 2>&1', 'sh', logFile, ...pinned, process.execPath, ...args],
    cwd: root,
    env,
    onStdout: () => {},
    onStderr: () => {},
    stopSignal: 'SIGTERM',
  });
  const line = await lineIn(logFile, { child, name, event });
  return { name, line, pid: child.pid, kill: () => kill(child), stop: () => child.stop(GRACE_MS) };
}

async function lineIn(
  logFile: string,
  { child, name, event }: { child: Child; name: string; event: string },
): Promise<string> {
  const deadlineMs = performance.now() + START_LIMIT_MS;
  const ending = child.exited.then((phrase) => ({ phrase }));
  while (performance.now() < deadlineMs) {
    const line = await loggedLine(logFile, event);
    if (line !== undefined) return line;
    const ended = await Promise.race([ending, sleep(POLL_MS)]);
    if (ended) throw new Error(`${name} ${ended.phrase}: ${await readFile(logFile, 'utf8')}`);
  }
  await child.stop(GRACE_MS);
  throw new Error(`${name} was not ${event} within ${START_LIMIT_MS} ms`);
}

async function loggedLine(logFile: string, event: string): Promise<string | undefined> {
  const log = await readFile(logFile, 'utf8').catch(() => '');
  return log.split('\n').find((text) => text.endsWith('}') && text.includes(`"event":"${event}"`));
}

async function kill(child: Child): Promise<void> {
  process.kill(child.pid, 'SIGKILL');
  await child.exited;
}

const MEBI = 1024;

/** Resident memory of a process in MiB. */
export function residentMiBOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / MEBI;
}

/** The cores of a run: one for the measured server, the other for everything else (load, upstream, PostgreSQL). */
export const SERVER_CORE = 0;
export const OTHER_CORE = 1;

/** The number of cores used in total. */
export const coreCount = availableParallelism();

/** Whether processes can be pinned to cores here. */
export const canPin = coreCount > 1 && hasTaskset();

/** The command prefix that pins a program to a core. */
function onCore(core: number): string[] {
  return canPin ? ['taskset', '-c', String(core)] : [];
}

/** Pins a running process, its threads and its children to a core; processes that they start later inherit it. */
export function pinTree(pid: number, core: number): void {
  if (!canPin) return;
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    for (const child of children.filter(Boolean)) pinTree(Number(child), core);
  } catch (error) {
    // PostgreSQL's workers come and go: an ended one is skipped.
    if (existsSync(`/proc/${pid}`)) throw error;
  }
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
