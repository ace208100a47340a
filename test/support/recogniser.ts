import { spawnSync } from 'node:child_process';
import { test } from '@jest/globals';
import { fetchRecogniser } from '../../providers/embedded/transcription/pocketsphinx.ts';

const hasPython = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

/** A test that needs the recogniser, skipped where the machine has none. */
export const testWithRecogniser = hasPython ? test : test.skip;

/** Puts the embedded recogniser where the API looks for it, once for all tests, on a machine that can have it. */
export async function makeRecogniser(): Promise<void> {
  if (hasPython) await fetchRecogniser({ dataDir: '.data', onProgress: () => {} });
}
