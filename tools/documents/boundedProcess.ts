import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { MIB } from '../../base/limits.ts';
import { createPlaces } from '../../base/places.ts';
import { DocumentError } from './documentError.ts';

/** One use of a process: a script of this folder, its arguments and its input. */
interface BoundedTask {
  script: string;
  args: string[];
  input: Uint8Array;
  /** The packages that the script imports, including their own imports. */
  packages: readonly string[];
  signal: AbortSignal;
  /** The model's text if the process ends without its own message. */
  failureText: string;
}

const TIMEOUT_MS = 15_000;
// Limits the memory of concurrent hostile files. The 15 seconds start after the queue.
const places = createPlaces({ atOnce: 4 });
const OUTPUT_BYTES_MAX = 16 * MIB;
const MESSAGE_BYTES_MAX = 1_000;
const MESSAGE_EXIT_CODE = 3;
const HEAP_MIB_MAX = 192;
// Inflated bytes are outside the heap. Node itself needs 650,000 KiB of address space for data, which it hardly uses; with this
// limit a PDF that inflates to a gigabyte ended at 446 MB of memory, without it at 2.4 GB.
const DATA_KIB_MAX = 1_000_000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs a script in a separate process and returns its output: without environment, with access only to its own code, with limited memory
 * and 15 seconds. Throws DocumentError when it fails, the signal's reason when that is aborted.
 */
export function runBounded(task: BoundedTask): Promise<Buffer> {
  return places.run(() => runInChild(task), { signal: task.signal });
}

async function runInChild({ signal, input, ...task }: BoundedTask): Promise<Buffer> {
  const child = startChild(task);
  const stop = () => child.kill('SIGKILL');
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal.addEventListener('abort', stop);
  try {
    // A child that ends early stops reading its input; its exit code reports the failure.
    child.stdin.on('error', () => {}).end(input);
    return await outcomeOf(child, task.failureText);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function startChild({ script, args, packages }: Omit<BoundedTask, 'input' | 'signal'>): Child {
  const folder = import.meta.dirname;
  const readable = [
    folder,
    join(folder, '..', '..', 'base'),
    join(folder, '..', '..', 'package.json'),
    ...foldersOf(packages),
  ];
  const flags = [
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disable-warning=SecurityWarning',
  ];
  const command = [process.execPath, ...flags, `--max-old-space-size=${HEAP_MIB_MAX}`, join(folder, script), ...args];
  // Only a shell can lower the limits of the program that it becomes. Continues without a limit that the system lacks.
  const shell = `ulimit -c 0; ulimit -d ${DATA_KIB_MAX}; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', shell, ...command], { env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
}

function foldersOf(packages: readonly string[]): string[] {
  return packages.flatMap((name) => {
    const folder = dirname(findPackageJSON(name, import.meta.url)!);
    return [folder, realpathSync(folder)];
  });
}

function outcomeOf(child: Child, failureText: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let message = '';
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes > OUTPUT_BYTES_MAX) child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (message.length < MESSAGE_BYTES_MAX) message += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else if (code === MESSAGE_EXIT_CODE) reject(new DocumentError(message.slice(0, MESSAGE_BYTES_MAX)));
      else reject(new DocumentError(failureText));
    });
  });
}
