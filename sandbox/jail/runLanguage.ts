import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../limits.ts';
import type { Ending, Program } from '../types.ts';
import { findPython } from '../runtimes.ts';
import { PYTHON_START } from './pythonStart.ts';

type Print = (stream: 'stdout' | 'stderr', bytes: Buffer) => void;

const CODE_FD = 3;
const RESULT_FD = 4;
const KIB = 1_024;
const MIB = KIB * KIB;
const TAIL_CHARACTERS = 2_000;
/** How long the output of a finished program may take to arrive. A process that it left behind could keep the pipe open. */
const LAST_OUTPUT_MS = 100;

/** Runs a program as a child in this jail; resolves when it has ended. */
export async function runLanguage(
  { language, code }: Pick<Program, 'language' | 'code'>,
  limits: Limits,
  print: Print,
): Promise<{ ending: Ending; result: string | null }> {
  const command = language === 'python' ? pythonCommand(limits) : javascriptCommand(limits);
  const child = spawn(command[0]!, command.slice(1), { env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
  const errors = forward(child, print);
  const result = collect(child.stdio[RESULT_FD] as Readable, limits.outputBytes);
  (child.stdio[CODE_FD] as Writable).on('error', () => undefined).end(code);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = await exitOf(child);
  await Promise.race([closed, sleep(LAST_OUTPUT_MS)]);
  return { ending: endingOf(end, errors()), result: result() || null };
}

const javascriptCommand = ({ memoryBytes }: Limits) => [
  process.execPath,
  `--max-old-space-size=${Math.floor(memoryBytes / MIB)}`,
  '--disable-warning=ExperimentalWarning',
  new URL('javascriptStart.ts', import.meta.url).pathname,
];

// Unlike V8, Python reserves no more memory than it uses, and raises MemoryError when the kernel refuses more.
const pythonCommand = ({ memoryBytes }: Limits) => {
  const limited = ['/bin/sh', '-c', `ulimit -d ${Math.floor(memoryBytes / KIB)} && exec "$@"`, 'sh'];
  return [...limited, findPython()!, '-I', '-B', '-u', '-X', 'utf8', '-c', PYTHON_START];
};

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const exitOf = (child: ChildProcess) =>
  new Promise<Exit>((resolve) => {
    child
      .once('exit', (code, signal) => resolve({ code, signal }))
      .once('error', () => resolve({ code: 1, signal: null }));
  });

function endingOf({ code, signal }: Exit, errors: string): Ending {
  if (code === 0) return 'ok';
  if (signal === 'SIGXCPU') return 'timed_out';
  if (signal === 'SIGKILL' || /heap out of memory|^MemoryError\b|Cannot allocate memory/m.test(errors))
    return 'out_of_memory';
  return /ENOSPC|No space left on device/.test(errors) ? 'disk_limit' : 'error';
}

/** Forwards a program's output; returns how to get the end of its error output. */
function forward(child: ChildProcess, print: Print): () => string {
  let tail = '';
  child.stdout!.on('data', (bytes: Buffer) => print('stdout', bytes));
  child.stderr!.on('data', (bytes: Buffer) => {
    tail = (tail + bytes.toString()).slice(-TAIL_CHARACTERS);
    print('stderr', bytes);
  });
  return () => tail;
}

function collect(stream: Readable, bytesMax: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    // More than the limit counts as the limit.
    if (text.length <= bytesMax) text += chunk;
  });
  return () => text;
}
