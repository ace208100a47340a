import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createPlaces } from '../base/places.ts';
import { ToolFailure } from './tool.ts';

const SIGNATURE = Buffer.from('%PDF-');
const TIMEOUT_MS = 15_000;
// Limits the memory of concurrent hostile files. The 15 seconds start after the queue.
const places = createPlaces({ atOnce: 4 });
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
const HEAP_MIB_MAX = 192;
// Decompressed streams are outside the heap. Node itself needs 650,000 KiB of address space for data, which it hardly uses; with this
// limit a PDF that inflates to a gigabyte ended at 446 MB of memory, without it at 2.4 GB.
const DATA_KIB_MAX = 1_000_000;
const CHILD = join(import.meta.dirname, 'pdfChild.ts');
const LIBRARY = join(dirname(createRequire(import.meta.url).resolve('unpdf')), '..');

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Whether the bytes are a PDF. */
export const isPdf = (bytes: Uint8Array): boolean => SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));

/**
 * The text of a PDF, page by page, read by a separate process: without environment, without access to files, with limited memory and 15
 * seconds. Throws ToolFailure when it has no text, the signal's reason when that is aborted.
 */
export function pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  return places.run(() => readInChild(bytes, signal), { signal });
}

async function readInChild(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const child = startChild();
  const stop = () => child.kill('SIGKILL');
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal.addEventListener('abort', stop);
  try {
    // A child that ends early reads no more of the PDF; its exit code reports the failure.
    child.stdin.on('error', () => {}).end(bytes);
    return await outcomeOf(child);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function startChild(): Child {
  const flags = ['--permission', `--allow-fs-read=${CHILD}`, `--allow-fs-read=${LIBRARY}`];
  const command = [process.execPath, ...flags, `--max-old-space-size=${HEAP_MIB_MAX}`, CHILD];
  // Only a shell can lower the limits of the program that it becomes. Where the system has no such limit, it continues without.
  const script = `ulimit -c 0; ulimit -d ${DATA_KIB_MAX}; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', script, ...command], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
}

function outcomeOf(child: Child): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes > OUTPUT_BYTES_MAX) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString());
      else reject(new ToolFailure('The PDF gave no text: it is damaged, locked, or needs too much time or memory.'));
    });
  });
}
