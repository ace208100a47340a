import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, runInThisContext } from 'node:vm';
import type * as Config from '../../api/config.ts';
import type * as Log from '../../api/log.ts';
import type * as Serve from '../../api/serve.ts';
import { startChild } from '../../stack/child.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..', '..');
const graceMs = 10_000;
const startTimeoutMs = 120_000;

export const textModel = 'ledgerline-text-1';
export const embeddingModel = 'ledgerline-embed-1';

export interface RunningApi {
  /** Where it listens, without a path. */
  url: string;
  /** What it has logged so far, a line each. */
  lines: string[];
  stop(): Promise<void>;
}

/** One that can be sent signals. */
export interface ApiProcess extends RunningApi {
  pid: number;
  exited: Promise<string>;
}

export interface ApiSetting {
  databaseUrl: string;
  upstreamUrl: string;
  /** What the upstream calls the model. */
  upstreamModel?: string;
  /** An upstream for sound; the embedded voices when left out. */
  voiceUrl?: string;
  /** What it speaks: OpenAI's protocol unless something else is said. */
  voiceProtocol?: 'openai' | 'elevenlabs';
  env?: Record<string, string>;
}

/**
 * Starts the API inside this process, with both of its models served by one upstream. Its modules are loaded by Node itself, outside of
 * Jest's registry: once for all test files of a worker, where a process would load them for two seconds each time.
 */
export async function startApi(setting: ApiSetting): Promise<RunningApi> {
  const { remove, env } = await apiCommand(setting);
  const [{ serve }, { readApiConfig }, { createLog }] = await Promise.all([
    importNatively<typeof Serve>('api/serve.ts'),
    importNatively<typeof Config>('api/config.ts'),
    importNatively<typeof Log>('api/log.ts'),
  ]);
  const lines: string[] = [];
  const log = createLog(env.LOG_LEVEL, { write: (line: string) => void lines.push(line.trimEnd()) });
  const drain = await serve(readApiConfig(env), { log });
  const stop = async () => {
    await drain();
    await remove();
  };
  return { url: addressIn(lines)!, lines, stop };
}

/** Imports a module as the API in this process has it: what Jest imports is another copy. */
export const importNatively = <Module>(path: string) =>
  nativeImport(pathToFileURL(join(root, path)).href) as Promise<Module>;

const nativeImport = runInThisContext('(url) => import(url)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (url: string) => Promise<unknown>;

/** Starts the API as a process of its own, for a test of what concerns a process, and waits until it listens. */
export async function startApiProcess(setting: ApiSetting): Promise<ApiProcess> {
  const { remove, ...command } = await apiCommand(setting);
  const lines: string[] = [];
  let ending: string | undefined;
  const child = await startChild({
    ...command,
    onStdout: (line) => lines.push(line),
    onStderr: (line) => lines.push(line),
    stopSignal: 'SIGTERM',
  });
  void child.exited.then((phrase) => (ending = phrase));
  const stop = async () => {
    await child.stop(graceMs);
    await remove();
  };
  await until(() => ending !== undefined || addressIn(lines) !== undefined, { timeoutMs: startTimeoutMs });
  const url = addressIn(lines);
  if (url !== undefined) return { url, pid: child.pid, lines, exited: child.exited, stop };
  await stop();
  throw new Error(`the API ${ending ?? 'does not listen'}:\n${lines.join('\n')}`);
}

/** What starts the API, for tests that do so themselves; and what removes the catalogue made for it. */
export async function apiCommand({
  databaseUrl,
  upstreamUrl,
  upstreamModel = 'scripted',
  voiceUrl,
  voiceProtocol = 'openai',
  env = {},
}: ApiSetting) {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerline-api-'));
  const voice = voiceUrl === undefined ? { protocol: 'embedded' } : { protocol: voiceProtocol, baseUrl: voiceUrl };
  const catalogFile = join(folder, 'catalog.json');
  await writeFile(catalogFile, JSON.stringify(catalogOf(upstreamUrl, upstreamModel, voice)));
  return {
    command: process.execPath,
    args: ['api/main.ts'],
    cwd: root,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      MODEL_CATALOG_FILE: catalogFile,
      PORT: '0',
      LOG_LEVEL: 'info',
      // No server listens there: a test that needs Temporal sets its own address.
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      // No other process is notified of its end.
      SHUTDOWN_NOTICE_MS: '0',
      ...env,
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** The address in the API's log line `listening`, once it is there. */
export function addressIn(lines: string[]): string | undefined {
  const line = lines.find((text) => text.includes('"event":"listening"'));
  return line && (JSON.parse(line) as { url: string }).url;
}

function catalogOf(upstreamUrl: string, upstreamModel: string, voice: object) {
  const common = {
    created: 1_761_955_200,
    contextTokens: 8192,
    upstreams: [{ upstream: 'main', model: upstreamModel }],
  };
  const usdPerMillion = { input_tokens: 0.3, output_tokens: 2.5 };
  return {
    upstreams: { main: { baseUrl: upstreamUrl }, voice },
    models: [
      { ...common, id: textModel, kind: 'text', aliases: ['ledgerline-text'], outputTokensMax: 4096, usdPerMillion },
      {
        ...common,
        id: embeddingModel,
        kind: 'embedding',
        aliases: [],
        outputTokensMax: 0,
        usdPerMillion: { input_tokens: 0.02 },
      },
      ...voiceModels('voice'),
    ],
  };
}

/** The models of sound, all at one upstream, by the names and prices that the product's own catalogue has for them. */
function voiceModels(upstream: string): object[] {
  const { models } = JSON.parse(readFileSync(join(root, 'catalog.json'), 'utf8')) as {
    models: { id: string; kind: string }[];
  };
  return models
    .filter(({ kind }) => ['speech', 'transcription', 'conversion'].includes(kind))
    .map((model) => ({ ...model, upstreams: [{ upstream, model: model.id }] }));
}
