import { fetchRecogniser } from '../../providers/embedded/transcription/pocketsphinx.ts';

/** Puts the embedded recogniser where the API looks for it, once for all tests. */
export async function makeRecogniser(): Promise<void> {
  await fetchRecogniser({ dataDir: '.data', onProgress: () => {} });
}
