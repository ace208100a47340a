import { join, resolve } from 'node:path';
import { mirrored } from '../base/downloads.ts';
import { readVariables } from '../base/environment.ts';

/** The settings of the embedded model's process, read from the environment once. */
export interface EmbeddedConfig {
  host: string;
  /** 0 takes any free port; the address is printed once known. */
  port: number;
  dataDir: string;
  modelFile: string;
  /** Whether the operator configured the file: then it is never fetched, only read. */
  modelFileIsChosen: boolean;
  /** Whether neural engines are used once they have been fetched. */
  isNeural: boolean;
  /** Whether they are fetched. */
  fetchesEngines: boolean;
  /** The requested voices: optional engines are fetched only for them. */
  voices: string;
  /** The requested language model of agents. */
  agentModel: string | undefined;
  queueMax: number;
  contextTokens: number;
  threads: number;
}

/** @throws an error that names each variable with an invalid value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): EmbeddedConfig {
  const values = readVariables(env, [
    'DATA_DIR',
    'EMBEDDED_ENGINES',
    'EMBEDDED_VOICES',
    'EMBEDDED_AGENT_MODEL',
    'EMBEDDED_HOST',
    'EMBEDDED_PORT',
    'EMBEDDED_MODEL_FILE',
    'EMBEDDED_QUEUE_MAX',
    'EMBEDDED_CONTEXT_TOKENS',
    'EMBEDDED_THREADS',
  ]);
  const dataDir = resolve(values.DATA_DIR);
  const file = values.EMBEDDED_MODEL_FILE;
  return {
    host: values.EMBEDDED_HOST,
    port: values.EMBEDDED_PORT,
    dataDir,
    modelFile: file === undefined ? modelFilePath(dataDir) : resolve(file),
    modelFileIsChosen: file !== undefined,
    isNeural: values.EMBEDDED_ENGINES === 'neural',
    fetchesEngines: file === undefined && values.EMBEDDED_ENGINES === 'neural',
    voices: values.EMBEDDED_VOICES,
    agentModel: values.EMBEDDED_AGENT_MODEL,
    queueMax: values.EMBEDDED_QUEUE_MAX,
    contextTokens: values.EMBEDDED_CONTEXT_TOKENS,
    threads: values.EMBEDDED_THREADS,
  };
}

/** Where a maker's file is fetched on this installation. */
export function placeOf(url: string): string {
  return mirrored(url, readVariables(process.env, ['DOWNLOAD_MIRROR_URL']).DOWNLOAD_MIRROR_URL);
}

/** The registry of npm's packages where there is no npm, which has its own configuration. */
export function npmRegistry(): string {
  const { NPM_CONFIG_REGISTRY: url = 'https://registry.npmjs.org' } = readVariables(process.env, [
    'NPM_CONFIG_REGISTRY',
  ]);
  return url.replace(/\/+$/, '');
}

/** The path of the fetched model in a data folder. */
export function modelFilePath(dataDir: string): string {
  return join(dataDir, 'models', MODEL_FILE_NAME);
}

/** The model's id in requests, as the catalogue's upstream name. */
export const MODEL_ID = 'smollm2-135m-instruct';

/** SmolLM2-135M-Instruct (Apache-2.0), quantised to 4 bits: small enough for any machine, and a real model. */
export const MODEL_FILE_NAME = 'SmolLM2-135M-Instruct.Q4_1.gguf';
export const MODEL_FILE_BYTES = 98_362_432;

/**
 * Keeps onnxruntime, which reads this process's variable, from sending usage reports to its maker. A thread only has a copy, so setting
 * it there has no effect.
 */
export function silenceOnnx(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}

/** This process's environment for a child, with some variables set differently. */
export function environmentWith(changes: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}
