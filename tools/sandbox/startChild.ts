import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { createFrameDecoder, FRAME_KINDS, type Frame } from './frames.ts';
import { SandboxError, type Launch } from './types.ts';

const START_TIMEOUT_MS = 10_000;
const DIAGNOSTIC_BYTES_MAX = 2_048;

/** A started child that waits for its program. */
export interface Child {
  pid: number;
  alive: () => boolean;
  send: (bytes: Buffer) => void;
  /** Passes further frames to `onFrame`, and protocol errors to `onNonsense`. */
  listen: (onFrame: (frame: Frame) => void, onNonsense: () => void) => void;
  /** Ends the child and its process group at once. */
  kill: () => void;
  /** Resolves when the child has ended, its pipes are closed and its files on the host are removed. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a child in its own process group, with an empty environment. Throws `SandboxError` when it does not become ready. */
export async function startChild(launch: Launch, frameBytesMax: number): Promise<Child> {
  const started = spawn(launch.command[0]!, launch.command.slice(1), {
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', launch.fd3 ? 'pipe' : 'ignore'],
    ...(launch.userId === undefined ? {} : { uid: launch.userId, gid: launch.userId }),
  });
  (started.stdio[3] as Writable | null)?.on('error', () => undefined).end(launch.fd3);
  unrefChild(started);
  const diagnostics = collectDiagnostics(started);
  const child = wrap(started, launch, frameBytesMax);
  try {
    await readiness(started, child);
    launch.adopt?.(child.pid);
    return child;
  } catch (error) {
    child.kill();
    await child.ended;
    const reason = `${(error as Error).message} ${diagnostics()}`.trim();
    throw new SandboxError(`The sandbox's process did not start: ${reason}`, { cause: error });
  }
}

/** Whether a child becomes ready at all: in many containers the program exists, but the kernel or missing rights prevent it. */
export async function canStart(launch: Launch): Promise<boolean> {
  const child = await startChild(launch, DIAGNOSTIC_BYTES_MAX).catch(() => null);
  child?.kill();
  await child?.ended;
  return child !== null;
}

function wrap(started: ChildProcess, launch: Launch, frameBytesMax: number): Child {
  let onFrame: (frame: Frame) => void = () => undefined;
  let onNonsense: () => void = () => undefined;
  const decode = createFrameDecoder(frameBytesMax);
  started.stdout!.on('data', (chunk: Buffer) => {
    try {
      for (const frame of decode(chunk)) onFrame(frame);
    } catch {
      onNonsense();
    }
  });
  // Writing to a dead child fails; `ended` reports that.
  started.stdin!.on('error', () => undefined);
  return {
    pid: started.pid ?? 0,
    alive: () => started.exitCode === null && started.signalCode === null,
    send: (bytes) => void started.stdin!.write(bytes),
    listen: (toFrame, toNonsense) => {
      onFrame = toFrame;
      onNonsense = toNonsense;
    },
    kill: () => killGroup(started),
    ended: end(started).then(async (status) => {
      await launch.cleanUp?.();
      return status;
    }),
  };
}

const end = (started: ChildProcess) =>
  new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    started.once('close', (code, signal) => resolve({ code, signal }));
    // A process that could not be started emits no close event.
    started.once('error', () => resolve({ code: null, signal: null }));
  });

function readiness(started: ChildProcess, child: Child): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready after ${START_TIMEOUT_MS} ms.`)), START_TIMEOUT_MS);
    const settle = (error?: Error) => {
      clearTimeout(timer);
      return error ? reject(error) : resolve();
    };
    started.once('error', settle);
    started.once('exit', (code, signal) => settle(new Error(`it ended with ${signal ?? code}.`)));
    child.listen(
      ({ kind }) => settle(kind === FRAME_KINDS.ready ? undefined : new Error('it spoke before it was ready.')),
      () => settle(new Error('it does not speak frames.')),
    );
  });
}

function killGroup(child: ChildProcess): void {
  // Keeps the worker alive until the child and its pipes are closed.
  child.ref();
  for (const stream of child.stdio) (stream as Socket | null)?.ref();
  if (!child.pid) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

// A waiting child must not keep its worker alive; a running call does so by its timer.
function unrefChild(started: ChildProcess): void {
  started.unref();
  for (const stream of started.stdio) (stream as Socket | null)?.unref();
}

function collectDiagnostics(started: ChildProcess): () => string {
  let text = '';
  started.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < DIAGNOSTIC_BYTES_MAX) text += chunk.slice(0, DIAGNOSTIC_BYTES_MAX);
  });
  return () => text.trim();
}
