import { join, resolve } from 'node:path';
import { integer } from '../providers/config.ts';
import { MODEL_FILE_NAME } from './modelFile.ts';

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

/** @throws Error naming the variable whose value is not usable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): EmbeddedConfig {
  const dataDir = resolve(env.DATA_DIR || '.data');
  return {
    host: env.EMBEDDED_HOST || '127.0.0.1',
    port: integer(env, 'EMBEDDED_PORT', { fallback: 0, min: 0, max: 65_535 }),
    dataDir,
    modelFile: env.EMBEDDED_MODEL_FILE ? resolve(env.EMBEDDED_MODEL_FILE) : modelFilePath(dataDir),
    modelFileIsChosen: Boolean(env.EMBEDDED_MODEL_FILE),
    queueMax: integer(env, 'EMBEDDED_QUEUE_MAX', { fallback: 256, min: 0, max: 10_000 }),
    contextTokens: integer(env, 'EMBEDDED_CONTEXT_TOKENS', { fallback: 4096, min: 256, max: 8192 }),
    // One thread measured fastest for the whole machine: a second one starves the API beside it.
    threads: integer(env, 'EMBEDDED_THREADS', { fallback: 1, min: 1, max: 64 }),
  };
}

/** Where the fetched model lives below a data folder. */
export function modelFilePath(dataDir: string): string {
  return join(dataDir, 'models', MODEL_FILE_NAME);
}
