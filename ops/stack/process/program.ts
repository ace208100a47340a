import { execFile } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isObject } from '../../../base/json.ts';
import { type Child, type LineLog, startChild } from './child.ts';
import type { Part, Running } from './supervise.ts';

// A busy machine starts a part slowly; one that has ended is noticed at once.
const START_TIMEOUT_MS = 600_000;
const LATE_MS = 15_000;
const ANSWER_TIMEOUT_MS = 5_000;

type ProgramOptions = {
  name: string;
  script: string;
  /** Options for Node, before the script. */
  flags?: string[];
  /** The folders of its source. */
  sources: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** How long a graceful shutdown may take. */
  graceMs: number;
  log: LineLog;
  /** Told again and again, for the operator, that it is not ready yet; `lateMs` apart. */
  say: (text: string) => void;
  lateMs?: number;
  /** Whether it restarts when its source changes. */
  isWatched: boolean;
  /**
   * How readiness is detected: the program tells this event, in a message or in a line of its output, and then the address answers
   * successfully. An answer alone may be that of another program at its port.
   */
  ready: { event: string; url?: string };
};

/** One of our own programs, run by `node`, as a part. */
export function program(options: ProgramOptions): Part {
  return { name: options.name, start: (signal) => startProgram(options, signal) };
}

async function startProgram(options: ProgramOptions, signal: AbortSignal): Promise<Running> {
  const { event, url } = options.ready;
  const complaints: string[] = [];
  let isAnnounced = false;
  const child = await startChild({
    command: process.execPath,
    args: [...(options.flags ?? []), options.script],
    cwd: options.cwd,
    env: options.env,
    onStdout: (line) => {
      options.log(line);
      isAnnounced ||= line.includes(`"event":"${event}"`);
    },
    // A log may be told to leave the line out.
    onMessage: (message) => (isAnnounced ||= isObject(message) && message.event === event),
    onStderr: (line) => {
      options.log(line);
      if (complaints.push(line) > 50) complaints.shift();
    },
    stopSignal: 'SIGTERM',
    signal,
    abortGraceMs: options.graceMs,
    orphanGraceMs: options.graceMs,
  });
  const isReady = async (): Promise<boolean> => isAnnounced && (url === undefined || (await isHealthy(url)));
  if (options.isWatched) endOnChange(child, options);
  const { name, say, lateMs = LATE_MS } = options;
  const late = setInterval(() => say(`${name} is still starting`), lateMs);
  await waitUntilReady({ child, graceMs: options.graceMs, complaints, isReady }).finally(() => clearInterval(late));
  return { exited: child.exited, stop: () => child.stop(options.graceMs) };
}

function endOnChange(child: Child, { cwd, sources, graceMs }: ProgramOptions): void {
  const endWatching = onSourceChange(cwd, sources, () => void child.stop(graceMs));
  void child.exited.then(endWatching);
}

type Waiting = {
  child: Child;
  graceMs: number;
  complaints: string[];
  isReady: () => Promise<boolean>;
};

async function waitUntilReady({ child, graceMs, complaints, isReady }: Waiting): Promise<void> {
  let ending: string | undefined;
  void child.exited.then((phrase) => (ending = phrase));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    const isHopeless = ending !== undefined || Date.now() > deadline;
    if (isHopeless) await child.stop(graceMs);
    if (isHopeless) throw new Error(`it ${ending ?? 'does not answer'}${reasonIn(complaints)}`);
    await sleep(50);
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function reasonIn(complaints: string[]): string {
  const line = errorLineIn(complaints);
  return line ? ` (${line.trim()})` : '';
}

const SETTLE_MS = 200;

/**
 * Calls back once when a source file of one of the folders changes. (`node --watch` cannot be used for all programs: its messages confuse
 * the threads of Temporal's worker.)
 * @returns a function that stops watching.
 */
function onSourceChange(cwd: string, folders: string[], callback: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const noticed = (_event: string, file: string | null): void => {
    // An editor writes several times for one change.
    if (file?.endsWith('.ts')) timer ??= setTimeout(callback, SETTLE_MS);
  };
  const watchers = folders.map((folder) => watch(join(cwd, folder), { recursive: true }, noticed));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

const run = promisify(execFile);
const TIMEOUT_MS = 600_000;

/**
 * Runs one of our own commands to its end.
 * @returns its standard output.
 * @throws its error message.
 */
export async function runCommand(args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, args, { cwd, env, timeout: TIMEOUT_MS });
    return stdout;
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    const reason = errorLineIn(stderr.trim().split('\n')) || String(cause);
    throw new Error(`node ${args.join(' ')} failed: ${reason}`, { cause });
  }
}

/** Values that only the first starts print: the first workspace's key, and a sign-in link for its owner until its first use. */
export interface FirstAccess {
  key: string | null;
  signInPath: string | null;
}

/** Creates the first workspace and its owner, once. */
export async function bootstrap(cwd: string, env: NodeJS.ProcessEnv): Promise<FirstAccess> {
  const output = await runCommand(['ops/admin/main.ts', 'bootstrap'], cwd, env);
  const { key, signInPath } = JSON.parse(output.trim().split('\n').at(-1)!) as FirstAccess;
  return { key, signInPath };
}

/**
 * The line of a program's error output that explains its end. Node prints the source line first, then the error, then its indented cause,
 * and its own version last.
 */
function errorLineIn(lines: string[]): string | undefined {
  return lines.findLast((line) => /^\S*(Error|Exception)\b/.test(line)) ?? lines.at(-1);
}
