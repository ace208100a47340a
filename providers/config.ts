import { resolve } from 'node:path';
import { readVariables } from '../base/environment.ts';

/** Limits of upstream calls, the same for every process. */
export interface UpstreamConfig {
  /** The longest silence within a stream. */
  idleTimeoutMs: number;
  /** The longest wait for a whole answer: the official clients' own timeout. */
  answerTimeoutMs: number;
  connectionsMax: number;
  /** No further upstream is tried after this time of a call, unless its model says otherwise. */
  retryBudgetMs?: number;
}

/** @throws an error that names each variable with an invalid value. */
export function readUpstreamConfig(env: NodeJS.ProcessEnv): UpstreamConfig {
  const values = readVariables(env, [
    'UPSTREAM_IDLE_TIMEOUT_MS',
    'UPSTREAM_ANSWER_TIMEOUT_MS',
    'UPSTREAM_CONNECTIONS_MAX',
    'UPSTREAM_RETRY_BUDGET_MS',
  ]);
  return {
    idleTimeoutMs: values.UPSTREAM_IDLE_TIMEOUT_MS,
    answerTimeoutMs: values.UPSTREAM_ANSWER_TIMEOUT_MS,
    connectionsMax: values.UPSTREAM_CONNECTIONS_MAX,
    retryBudgetMs: values.UPSTREAM_RETRY_BUDGET_MS,
  };
}

/** Resources of the embedded voices and the embedded recogniser. */
export interface EmbeddedVoiceConfig {
  /** Folder of the fetched engines. */
  dataDir: string;
  /** Whether the neural engines are used once they have been fetched. */
  isNeural: boolean;
  /** The engine for the preset voices' model. */
  voices: 'auto' | 'flite' | 'piper' | 'kokoro';
  /** Sentences synthesised at once. */
  speechThreads: number;
  speechCallsMax: number;
  /** Concurrent transcriptions: each is a process with some 200 MB. */
  transcriptionProcesses: number;
  transcriptionQueueMax: number;
}

/** @throws an error that names each variable with an invalid value. */
export function readEmbeddedVoiceConfig(env: NodeJS.ProcessEnv): EmbeddedVoiceConfig {
  const values = readVariables(env, [
    'DATA_DIR',
    'EMBEDDED_ENGINES',
    'EMBEDDED_VOICES',
    'EMBEDDED_SPEECH_THREADS',
    'EMBEDDED_SPEECH_CALLS_MAX',
    'EMBEDDED_TRANSCRIPTIONS',
    'EMBEDDED_TRANSCRIPTION_QUEUE_MAX',
  ]);
  return {
    dataDir: resolve(values.DATA_DIR),
    isNeural: values.EMBEDDED_ENGINES === 'neural',
    voices: values.EMBEDDED_VOICES,
    speechThreads: values.EMBEDDED_SPEECH_THREADS,
    speechCallsMax: values.EMBEDDED_SPEECH_CALLS_MAX,
    transcriptionProcesses: values.EMBEDDED_TRANSCRIPTIONS,
    transcriptionQueueMax: values.EMBEDDED_TRANSCRIPTION_QUEUE_MAX,
  };
}
