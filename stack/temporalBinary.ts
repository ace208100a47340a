import { execFile } from 'node:child_process';
import { type Hash, createHash } from 'node:crypto';
import { readFileSync, createWriteStream } from 'node:fs';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { startChild } from './process/child.ts';

const run = promisify(execFile);
const TEMPORAL_VERSION = '1.5.1';
const ARCHIVES_URL = 'https://github.com/temporalio/cli/releases/download';
// Each disables Go's checksum database for some or all modules. The modules of this build are all public.
const GO_UNSAFE_VARIABLES = ['GONOSUMDB', 'GONOSUMCHECK', 'GOINSECURE', 'GOPRIVATE', 'GOFLAGS'];

type TemporalBinaryOptions = {
  /** The folder of the program once it was fetched or built. */
  binDir: string;
  /** Folders to search first, as in the variable PATH. */
  searchPath: string;
  onProgress: Progress;
  /** Gives up when it aborts. */
  signal?: AbortSignal;
  /** The download address of Temporal's releases. */
  archivesUrl?: string;
  /** Expected SHA-256 of the archive, instead of the pinned one. */
  sha256?: string;
};

/**
 * The path of Temporal's command line program: the machine's own, else the stored one, else fetched, else built with Go.
 * @throws a message that says what to install when none of them is possible.
 */
export async function findTemporalBinary(options: TemporalBinaryOptions): Promise<string> {
  // Go accepts no relative folder.
  const binDir = resolve(options.binDir);
  const kept = join(binDir, 'temporal');
  const folders = options.searchPath.split(delimiter).filter((folder) => folder !== '');
  for (const path of [...folders.map((folder) => join(folder, 'temporal')), kept]) {
    if (await isExecutable(path)) return path;
  }
  await mkdir(binDir, { recursive: true });
  const draft = await mkdtemp(join(binDir, 'draft-'));
  try {
    await obtain(draft, options);
    await rename(join(draft, 'temporal'), kept);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return kept;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function obtain(folder: string, options: TemporalBinaryOptions): Promise<void> {
  try {
    await fetchBinary(folder, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    const { message } = error as Error;
    options.onProgress(`Temporal's program could not be fetched (${message}), so it is built with Go`);
    await buildBinary(folder, message, options);
  }
}

async function fetchBinary(folder: string, options: TemporalBinaryOptions): Promise<void> {
  const { archivesUrl = ARCHIVES_URL, sha256 = pinnedChecksum(), onProgress, signal } = options;
  if (!sha256) throw new Error(`there is no pinned checksum for ${platform()} on ${arch()}`);
  const architecture = arch() === 'x64' ? 'amd64' : arch();
  const url = `${archivesUrl}/v${TEMPORAL_VERSION}/temporal_cli_${TEMPORAL_VERSION}_${platform()}_${architecture}.tar.gz`;
  const path = join(folder, 'temporal.tar.gz');
  const onBytes = (progress: string): void => onProgress(`fetching Temporal's program: ${progress}`);
  await download({ url, path, sha256, onProgress: onBytes, signal });
  await run('tar', ['-xzf', path, '-C', folder, 'temporal']);
}

function pinnedChecksum(): string | undefined {
  const text = readFileSync(new URL('./checksums.json', import.meta.url), 'utf8');
  const { temporal } = JSON.parse(text) as { temporal: Record<string, Record<string, string>> };
  return temporal[TEMPORAL_VERSION]?.[`${platform()}-${arch()}`];
}

/** Go checks each module against its public checksum database. */
async function buildBinary(
  folder: string,
  fetchFailure: string,
  { onProgress, searchPath, signal }: TemporalBinaryOptions,
): Promise<void> {
  const source = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_VERSION}`;
  const lines: string[] = [];
  const startedAtMs = Date.now();
  const report = (): void =>
    onProgress(`building Temporal's program with Go: ${describeBuild(lines.length, Date.now() - startedAtMs)}`);
  const count = (line: string): void => {
    lines.push(line);
    if (lines.length % 20 === 0) report();
  };
  report();
  // At a low priority, because the API already serves.
  const child = await startChild({
    command: 'nice',
    args: [
      '-n',
      '10',
      'env',
      ...GO_UNSAFE_VARIABLES.flatMap((name) => ['-u', name]),
      `GOBIN=${folder}`,
      `PATH=${searchPath}`,
      'go',
      'install',
      '-v',
      source,
    ],
    onStdout: count,
    onStderr: count,
    stopSignal: 'SIGTERM',
    signal,
  });
  const ending = await child.exited;
  if (ending === 'exited with code 0') return;
  throw new Error(
    `Temporal's program could neither be fetched (${fetchFailure}) nor built (go install ${ending}: ${lines.at(-1) ?? 'no output'}): install it from https://docs.temporal.io/cli, or install Go, or set TEMPORAL_ADDRESS.`,
  );
}

// The packages of this version and of Go's library; those that are already built are not listed again.
const PACKAGE_COUNT = 1_298;

function describeBuild(built: number, elapsedMs: number): string {
  const done = Math.min(built, PACKAGE_COUNT - 1);
  if (done === 0) return 'takes some minutes, and only this once';
  const minutesLeft = Math.ceil((elapsedMs * (PACKAGE_COUNT / done - 1)) / 60_000);
  return `${Math.floor((done / PACKAGE_COUNT) * 100)} % (${built} packages), at most ${minutesLeft} min left`;
}

/** Called with the progress of a long operation, in words. */
export type Progress = (text: string) => void;

const CONNECT_TIMEOUT_MS = 15_000;
const REPORT_EVERY_MS = 1_000;

type DownloadOptions = {
  url: string;
  path: string;
  /** The file's checksum, in hexadecimal. */
  sha256: string;
  onProgress: Progress;
  signal?: AbortSignal;
};

/**
 * Fetches a file and reports its progress.
 * @throws when the host cannot be reached, answers with an error, or breaks off; and when the file has another checksum, which deletes
 * it.
 */
async function download({ url, path, sha256, onProgress, signal }: DownloadOptions): Promise<void> {
  const response = await connect(url, signal);
  if (!response.ok || !response.body) throw new Error(`${url} answered with status ${response.status}`);
  const totalBytes = Number(response.headers.get('content-length') ?? 0);
  const hash = createHash('sha256');
  const read = (chunks: AsyncIterable<Uint8Array>) => hashed(counted(chunks, totalBytes, onProgress), hash);
  await pipeline(Readable.fromWeb(response.body), read, createWriteStream(path));
  const found = hash.digest('hex');
  if (found === sha256) return;
  await rm(path);
  throw new Error(`${url} has the SHA-256 ${found}, not ${sha256}: it was deleted`);
}

/** Only connecting has a timeout: the download itself may take as long as it needs. */
async function connect(url: string, signal?: AbortSignal): Promise<Response> {
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(new Error('no answer')), CONNECT_TIMEOUT_MS);
  const signals = signal ? [signal, connecting.signal] : [connecting.signal];
  return fetch(url, { signal: AbortSignal.any(signals) }).finally(() => clearTimeout(timer));
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>, totalBytes: number, onProgress: Progress) {
  let bytes = 0;
  let reportedAt = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (Date.now() - reportedAt > REPORT_EVERY_MS || bytes === totalBytes) {
      reportedAt = Date.now();
      onProgress(describe(bytes, totalBytes));
    }
    yield chunk;
  }
}

function describe(bytes: number, totalBytes: number): string {
  const megabytes = `${(bytes / 1e6).toFixed(1)} MB`;
  return totalBytes ? `${Math.floor((bytes / totalBytes) * 100)} %, ${megabytes}` : megabytes;
}
