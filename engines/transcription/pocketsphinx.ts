import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ProviderError } from '../../providers/provider.ts';
import { runPython } from '../fetching/runPython.ts';
import { environmentWith } from '../config.ts';

const run = promisify(execFile);

export const POCKETSPHINX_VERSION = '5.1.1';
const REQUIREMENTS = new URL('./pocketsphinx-requirements.txt', import.meta.url);
const PROBE_TIMEOUT_MS = 60_000;
const TRANSFER_TIMEOUT_MS = 10 * 60_000;

/** How to start Python so that it finds the recogniser. */
export interface Recogniser {
  command: string;
  env: NodeJS.ProcessEnv;
}

/** The location of the fetched recogniser below a data folder. */
function recogniserFolder(dataDir: string): string {
  return join(dataDir, 'pocketsphinx');
}

/**
 * The recogniser of this machine: fetched into `dataDir`, or installed with Python (a Debian package, say).
 * @throws ProviderError `unavailable` when there is none; the message contains the remedy.
 */
export async function findRecogniser(dataDir: string): Promise<Recogniser> {
  const folder = recogniserFolder(dataDir);
  const env = existsSync(folder) ? environmentWith({ PYTHONPATH: folder }) : environmentWith({});
  try {
    await run('python3', ['-c', 'import pocketsphinx'], { env, timeout: PROBE_TIMEOUT_MS });
    return { command: 'python3', env };
  } catch (error) {
    throw new ProviderError('unavailable', howToGetRecogniser(), { cause: error });
  }
}

/**
 * Fetches the recogniser with pip (29 MB) unless this machine has it. It appears under its name only when it is complete.
 * @throws ProviderError `unavailable` when there is no way to get it; the message contains the remedy.
 */
export async function fetchRecogniser({
  dataDir,
  onProgress,
  signal,
}: {
  dataDir: string;
  /** Called with messages about the progress. */
  onProgress: (text: string) => void;
  signal?: AbortSignal;
}): Promise<Recogniser> {
  const found = await findRecogniser(dataDir).catch(() => undefined);
  if (found) return found;
  onProgress('Fetching the speech recogniser (29 MB) with pip.');
  const folder = recogniserFolder(dataDir);
  await mkdir(dirname(folder), { recursive: true });
  const workDir = await mkdtemp(join(dirname(folder), '.recogniser-'));
  try {
    await install(workDir, signal);
    await putInPlace(workDir, dataDir);
    onProgress('The speech recogniser is in place.');
    return await findRecogniser(dataDir);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError('unavailable', howToGetRecogniser(), { cause: error });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function putInPlace(workDir: string, dataDir: string): Promise<void> {
  const folder = recogniserFolder(dataDir);
  try {
    await rename(workDir, folder);
  } catch {
    // Another process was first, and may be using its copy; or the existing files are broken.
    if (await findRecogniser(dataDir).catch(() => undefined)) return;
    await rm(folder, { recursive: true, force: true });
    await rename(workDir, folder);
  }
}

/** Without its dependencies: they are for recording from a microphone. pip checks the wheel against the listed checksums. */
async function install(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  const timeout = AbortSignal.timeout(TRANSFER_TIMEOUT_MS);
  await runPython([...args, '--require-hashes', '--target', folder, '-r', fileURLToPath(REQUIREMENTS)], {
    env: environmentWith({}),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
}

function howToGetRecogniser(): string {
  return (
    'The embedded speech recogniser is not on this machine and could not be fetched: install Python 3 with pip and start ' +
    'again, or install the Python package "pocketsphinx" (Debian: python3-pocketsphinx and pocketsphinx-en-us), or point ' +
    'the transcription model at an upstream.'
  );
}
