import { resolve } from 'node:path';
import { integer } from '../../config.ts';

/** How much of the machine the embedded voices and the embedded recogniser may take. */
export interface EmbeddedVoiceConfig {
  /** Where a recogniser that was fetched lies. */
  dataDir: string;
  /** Sentences synthesised at once. */
  speechThreads: number;
  /** Speeches under way at once. */
  speechCallsMax: number;
  /** Transcriptions at once: each is a process with some 200 MB. */
  transcriptionProcesses: number;
  /** Transcriptions that may wait for their turn. */
  transcriptionQueueMax: number;
}

/** @throws Error naming the variable whose value is not usable. */
export function readEmbeddedVoiceConfig(env: NodeJS.ProcessEnv = process.env): EmbeddedVoiceConfig {
  return {
    dataDir: resolve(env.DATA_DIR || '.data'),
    speechThreads: integer(env, 'EMBEDDED_SPEECH_THREADS', { fallback: 1, min: 1, max: 64 }),
    speechCallsMax: integer(env, 'EMBEDDED_SPEECH_CALLS_MAX', { fallback: 64, min: 1, max: 10_000 }),
    transcriptionProcesses: integer(env, 'EMBEDDED_TRANSCRIPTIONS', { fallback: 1, min: 1, max: 64 }),
    transcriptionQueueMax: integer(env, 'EMBEDDED_TRANSCRIPTION_QUEUE_MAX', { fallback: 32, min: 0, max: 10_000 }),
  };
}
