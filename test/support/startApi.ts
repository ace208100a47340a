import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiConfig, readApiConfig } from '../../api/config.ts';
import { createLog } from '../../base/log.ts';
import { serve } from '../../api/serve.ts';
import { startChild } from '../../ops/stack/process/child.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..', '..');
const graceMs = 10_000;
const startTimeoutMs = 120_000;

export const textModel = 'ledgerline-text-1';
export const embeddingModel = 'ledgerline-embed-1';

export interface RunningApi {
  /** Its address, without a path. */
  url: string;
  /** Its log so far, one entry per line. */
  lines: string[];
  stop(): Promise<void>;
}

/** A process that can get signals. */
export interface ApiProcess extends RunningApi {
  pid: number;
  exited: Promise<string>;
}

export interface ApiSetting {
  databaseUrl: string;
  upstreamUrl: string;
  /** The upstream's name of the model. */
  upstreamModel?: string;
  /** An upstream for audio; the embedded voices by default. */
  voiceUrl?: string;
  /** Its protocol; OpenAI's by default. */
  voiceProtocol?: 'openai' | 'elevenlabs';
  /** An upstream with the realtime protocol, as the model `passed-realtime`. */
  realtime?: { url: string; apiKey: string; usdPerMillion?: Record<string, number> };
  /** More of the catalogue: members of the upstream, other upstreams, other models. */
  catalog?: { main?: object; upstreams?: object; models?: object[] };
  env?: Record<string, string>;
  /** Settings that are no variables, of an API inside this process. */
  config?: Partial<ApiConfig>;
  /** The prefix of a command that runs it elsewhere, for example on another machine. */
  enter?: string[];
}

/** Starts the API inside this process, with both of its models served by one upstream. */
export async function startApi(setting: ApiSetting): Promise<RunningApi> {
  const { remove, env } = await apiCommand(setting);
  const lines: string[] = [];
  const log = createLog(env.LOG_LEVEL, { write: (line: string) => void lines.push(line.trimEnd()) });
  // Under load its reads would be refused after seconds: `overloaded`.
  const drain = await serve({ ...readApiConfig(env), readWaitMs: 60_000, ...setting.config }, { log });
  const stop = async () => {
    await drain();
    await remove();
  };
  return { url: addressIn(lines)!, lines, stop };
}

/** Starts the API as a separate process, for tests that concern a process, and waits until it listens. */
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

/** Arguments that start the API, for tests that do so themselves, and a function that removes its catalogue. */
export async function apiCommand({
  databaseUrl,
  upstreamUrl,
  upstreamModel = 'scripted',
  voiceUrl,
  voiceProtocol = 'openai',
  realtime,
  catalog,
  env = {},
  enter = [],
}: ApiSetting) {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerline-api-'));
  const voice = voiceUrl === undefined ? { protocol: 'embedded' } : { protocol: voiceProtocol, baseUrl: voiceUrl };
  const catalogFile = join(folder, 'catalog.json');
  await writeFile(catalogFile, JSON.stringify(catalogOf({ upstreamUrl, upstreamModel, voice, realtime, catalog })));
  return {
    ...commandOf([...enter, process.execPath, 'api/main.ts']),
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: databaseUrl,
      MODEL_CATALOG_FILE: catalogFile,
      PORT: '0',
      LOG_LEVEL: 'info',
      // No server listens there: a test that needs Temporal sets its own address.
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      // No other process is notified of its end.
      SHUTDOWN_NOTICE_MS: '0',
      // The same results whether or not the neural engines were fetched.
      EMBEDDED_ENGINES: 'basic',
      ...env,
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const commandOf = ([command, ...args]: string[]) => ({ command: command!, args });

/** The address in the API's log line `listening`, once it is logged. */
export function addressIn(lines: string[]): string | undefined {
  const line = lines.find((text) => text.includes('"event":"listening"'));
  return line && (JSON.parse(line) as { url: string }).url;
}

function catalogOf({
  upstreamUrl,
  upstreamModel,
  voice,
  realtime,
  catalog: more = {},
}: Pick<ApiSetting, 'upstreamUrl' | 'upstreamModel' | 'realtime' | 'catalog'> & { voice: object }) {
  const common = {
    created: 1_761_955_200,
    contextTokens: 8192,
    upstreams: [{ upstream: 'main', model: upstreamModel }],
  };
  const usdPerMillion = { input_tokens: 0.3, output_tokens: 2.5 };
  return {
    upstreams: {
      main: { baseUrl: upstreamUrl, ...more.main },
      ...more.upstreams,
      voice,
      ...(realtime && { vendor: { baseUrl: realtime.url, apiKey: realtime.apiKey } }),
    },
    models: [
      {
        ...common,
        id: textModel,
        kind: 'text',
        aliases: ['ledgerline-text'],
        outputTokensMax: 4096,
        usdPerMillion,
        batchFactor: 0.5,
      },
      {
        ...common,
        id: embeddingModel,
        kind: 'embedding',
        aliases: [],
        outputTokensMax: 0,
        usdPerMillion: { input_tokens: 0.02 },
        batchFactor: 0.5,
      },
      ...(more.models ?? []).map((model) => ({ ...common, ...model })),
      ...voiceModels('voice'),
      ...(realtime ? passedModels(realtime) : []),
    ],
  };
}

/** A model of the vendor with the realtime protocol, and its transcription model. */
function passedModels({ usdPerMillion = {} }: NonNullable<ApiSetting['realtime']>): object[] {
  const created = 1_761_955_200;
  return [
    {
      id: 'passed-realtime',
      kind: 'realtime',
      aliases: ['gpt-passed'],
      created,
      contextTokens: 32_000,
      outputTokensMax: 4096,
      upstreams: [{ upstream: 'vendor', model: 'vendor-realtime' }],
      usdPerMillion: { audio_minutes: 6_000, output_tokens: 24, output_characters: 15, ...usdPerMillion },
    },
    {
      id: 'passed-transcription',
      kind: 'transcription',
      aliases: ['vendor-listener'],
      created,
      upstreams: [{ upstream: 'vendor', model: 'vendor-transcribe' }],
      usdPerMillion: { audio_minutes: 18_000 },
    },
  ];
}

/** The audio models, all at one upstream, with the names and prices of the product's own catalogue. */
function voiceModels(upstream: string): object[] {
  const { models } = JSON.parse(readFileSync(join(root, 'catalog.json'), 'utf8')) as {
    models: { id: string; kind: string; pipeline?: object; upstreams?: { model: string }[] }[];
  };
  return models
    .filter(({ kind }) => ['speech', 'transcription', 'conversion', 'realtime'].includes(kind))
    .map((model) =>
      model.pipeline
        ? { ...model, pipeline: { ...model.pipeline, text: textModel } }
        : { ...model, upstreams: [{ upstream, model: model.upstreams![0]!.model }] },
    );
}
