import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { waitAtMost } from '../../../base/waiting.ts';

/** One line of a child's output, without its line end. */
export type LineLog = (line: string) => void;

export type ChildOptions = {
  command: string;
  args: string[];
  cwd?: string;
  /** The whole environment of the child; without it the child inherits ours. */
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  onStdout: LineLog;
  onStderr: LineLog;
  /** Hears what a program of ours sends over a channel to this process. Without it there is no channel. */
  onMessage?: (message: unknown) => void;
  /** The signal that requests a shutdown of this program. */
  stopSignal: 'SIGINT' | 'SIGTERM';
  /** Ends the process when it aborts, after `abortGraceMs` at the latest. */
  signal?: AbortSignal;
  abortGraceMs?: number;
  /** How long it may take to end once this process has died. */
  orphanGraceMs?: number;
};

export type Child = {
  pid: number;
  /** Resolves once, with a phrase that describes how the process ended. */
  exited: Promise<string>;
  /** The same after its last line has been read, which may be later. */
  ended: Promise<string>;
  /** Requests the process to end, and kills it after `graceMs`. Idempotent. */
  stop(graceMs: number): Promise<void>;
};

const KILL_GRACE_MS = 5_000;
// A program started by the child may keep its output open.
const OUTPUT_WAIT_MS = 5_000;
// As long as Kubernetes waits: a database writes a checkpoint before it ends.
const ORPHAN_GRACE_MS = 30_000;
const living = new Set<Child>();

/** Ends every remaining child, for example after an interrupted start. */
export async function stopRemainingChildren(): Promise<void> {
  await Promise.all([...living].map((child) => child.stop(KILL_GRACE_MS)));
}

/**
 * Starts a program that always ends with this process. It gets its own process group, so that Ctrl-C does not reach all parts at once.
 * @throws if the program cannot be started at all.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { command, args, cwd, env, uid, gid, onMessage } = options;
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(onMessage ? ['ipc' as const] : [])];
  const child = spawn(command, args, { cwd, env, uid, gid, detached: true, stdio });
  if (onMessage) child.on('message', onMessage);
  const exited = exitOf(child);
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const ended = exited.then(async (phrase) => {
    await waitAtMost(OUTPUT_WAIT_MS, closed);
    return phrase;
  });
  createInterface({ input: child.stdout! }).on('line', options.onStdout);
  createInterface({ input: child.stderr! }).on('line', options.onStderr);
  const pid = await pidOf(child);
  const unleash = leash(pid, options.stopSignal, options.orphanGraceMs ?? ORPHAN_GRACE_MS);
  const handle = {
    pid,
    exited,
    ended,
    stop: (graceMs: number) => stopChild(child, exited, options.stopSignal, graceMs),
  };
  living.add(handle);
  const end = (): void => void handle.stop(options.abortGraceMs ?? KILL_GRACE_MS);
  options.signal?.addEventListener('abort', end, { once: true });
  if (options.signal?.aborted) end();
  child.once('exit', () => {
    living.delete(handle);
    options.signal?.removeEventListener('abort', end);
    unleash();
  });
  return handle;
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`));
  });
}

function pidOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid!));
  });
}

/**
 * A shell that reads a pipe from us: the pipe closes when we end, even by SIGKILL, and the shell then signals the child. A process in a
 * busy loop handles no signal, so the rest of the child's group is killed after `graceMs`.
 */
function leash(pid: number, signal: string, graceMs: number): () => void {
  const script = `read -r _; kill -s "$2" "$1" 2>/dev/null
left=$3; while [ "$left" -gt 0 ] && kill -s 0 -- "-$1" 2>/dev/null; do sleep 1; left=$((left - 1)); done
kill -s KILL -- "-$1" 2>/dev/null`;
  const args = ['-c', script, 'leash', String(pid), signal.replace('SIG', ''), String(Math.ceil(graceMs / 1_000))];
  const holder = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  holder.on('error', () => {});
  holder.unref();
  return () => void holder.kill('SIGKILL');
}

async function stopChild(child: ChildProcess, exited: Promise<string>, signal: NodeJS.Signals, graceMs: number) {
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
}
