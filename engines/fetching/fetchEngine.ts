import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentWith } from '../config.ts';
import { ProviderError } from '../../providers/provider.ts';
import { runPython } from './runPython.ts';
import { engineFolder, findEngine, pythonFolder, type Engine, type EnginePart } from './engine.ts';
import { fetchFiles, type Work } from './fetchFiles.ts';
import { fetchPackage } from './fetchPackage.ts';
import { capitalised } from '../../base/sentences.ts';

const TRANSFER_MS = 30 * 60_000;

/**
 * The folder of an engine below `dataDir`, fetched if it is missing or does not run. It appears under its name only when everything is
 * there with the right checksums.
 * @throws ProviderError `unavailable` when it cannot be fetched; the signal's reason when that is aborted.
 */
export async function fetchEngine(
  engine: Engine,
  { dataDir, onProgress, onBytes, signal }: FetchEngineOptions,
): Promise<string> {
  const folder = engineFolder(dataDir, engine);
  const timeout = AbortSignal.timeout(TRANSFER_MS);
  const ending = signal ? AbortSignal.any([signal, timeout]) : timeout;
  if (findEngine(dataDir, engine)) {
    if (await doesRun(engine, folder, ending)) return folder;
    await rm(folder, { recursive: true, force: true });
  }
  await mkdir(dirname(folder), { recursive: true });
  const workDir = await mkdtemp(join(dirname(folder), '.fetch-'));
  const whole = join(workDir, 'whole');
  try {
    await mkdir(whole);
    for (const part of engine.parts)
      await obtain(part, engine, whole, { workDir, onProgress, onBytes, signal: ending });
    await engine.prepare?.(whole);
    if (!(await doesRun(engine, whole, ending))) throw new Error('What was fetched does not run on this machine.');
    await putInPlace(whole, folder);
    onProgress(`${capitalised(engine.title)} is in place.`);
    return folder;
  } catch (error) {
    signal?.throwIfAborted();
    const { message } = error as Error;
    throw new ProviderError('unavailable', `${capitalised(engine.title)} could not be fetched: ${message}`, {
      cause: error,
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

type FetchEngineOptions = Pick<Work, 'onProgress' | 'onBytes'> & { dataDir: string; signal?: AbortSignal };

/** Another process may have been faster. */
async function putInPlace(whole: string, folder: string): Promise<void> {
  await rename(whole, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

async function obtain(part: EnginePart, { title, megabytes }: Engine, folder: string, work: Work): Promise<void> {
  const { name, version, content } = part;
  if (!content) return;
  if (content.kind === 'python') {
    work.onProgress(`Fetching ${name} for ${title} with pip.`);
    return installPython(fileURLToPath(content.requirements), pythonFolder(folder), work);
  }
  if (content.kind === 'npm') {
    work.onProgress(`Fetching ${name}, ${title} (${megabytes} MB at most), from npm's registry.`);
    return fetchPackage({ name, version, ...content }, join(folder, 'node_modules', name), work);
  }
  const failures = await fetchFiles({ title, ...content }, folder, work);
  if (failures) throw failures.at(-1);
}

/** pip checks the wheels against the listed checksums. Their further dependencies are not needed. */
async function installPython(requirements: string, folder: string, { workDir, signal }: Work): Promise<void> {
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  await runPython([...args, '--require-hashes', '--target', folder, '-r', requirements], {
    signal,
    env: environmentWith({ TMPDIR: workDir }),
  });
}

async function doesRun({ probe }: Engine, folder: string, signal: AbortSignal): Promise<boolean> {
  if (!probe) return true;
  const env = environmentWith({ PYTHONPATH: pythonFolder(folder) });
  return runPython(['-B', '-c', probe], { signal, env }).then(
    () => true,
    () => {
      signal.throwIfAborted();
      return false;
    },
  );
}
