import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mirrored } from '../../base/downloads.ts';
import { archiveDirOf } from './archive.ts';
import type { LineLog } from './process/child.ts';
import type { StackConfig } from './config.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';
import { program } from './process/program.ts';
import { startLimitsServer } from './limitsServer.ts';
import type { Part, Running } from './process/supervise.ts';
import { type RunningTemporal, startTemporal, type TemporalPorts } from './temporal.ts';
import type { Progress } from './download.ts';
import { findTemporalBinary, TEMPORAL_RELEASES_URL } from './temporalBinary.ts';

/** Long enough for streams to end or to be settled. */
const DRAIN_MS = 25_000;
const MODEL_STOP_MS = 5_000;

export type ProgramSetting = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  log: LineLog;
  /** For the operator. */
  say: (text: string) => void;
  /** Whether it restarts when its source changes. */
  isWatched: boolean;
};

// The size of the young generation: see base/v8.ts.
const MEMORY_FLAGS = ['--max-semi-space-size=16'];

/** The folders of which the API and the worker are both made. */
const SHARED = ['base', 'calls', 'contracts', 'db', 'orders', 'providers', 'rules', 'tools'];

/** The API as a part: ready when it tells that it listens, and answers that it can serve. */
export function apiPart(setting: ProgramSetting, apiUrl: string): Part {
  const sources = [...SHARED, 'api', 'engines'];
  const ready = { event: 'listening', url: `${apiUrl}/readyz` };
  return program({
    name: 'The API',
    script: 'api/main.ts',
    flags: MEMORY_FLAGS,
    sources,
    graceMs: DRAIN_MS,
    ready,
    ...setting,
  });
}

/** The worker as a part: ready when it tells that it polls for tasks. */
export function workerPart(setting: ProgramSetting): Part {
  const sources = [...SHARED, 'activities', 'worker', 'workflows'];
  const ready = { event: 'working' };
  const started = { name: 'The worker', script: 'worker/main.ts', flags: MEMORY_FLAGS };
  return program({ ...started, sources, graceMs: DRAIN_MS, ready, ...setting });
}

/** The embedded model as a part. It has no state, so it may be ended quickly. */
export function modelPart(setting: ProgramSetting): Part {
  const name = "The embedded model's process";
  const script = 'engines/main.ts';
  const sources = ['base', 'engines', 'providers', 'rules'];
  return program({ name, script, sources, graceMs: MODEL_STOP_MS, ready: { event: 'listening' }, ...setting });
}

/** The test payments as a part. Paid orders are in a file. */
export function testPaymentsPart(setting: ProgramSetting): Part {
  const script = 'rules/payments/main.ts';
  const ready = { event: 'listening' };
  return program({
    name: 'The page for test payments',
    script,
    sources: ['base', 'rules'],
    graceMs: MODEL_STOP_MS,
    ready,
    ...setting,
  });
}

/** PostgreSQL as a part. It keeps its port after its first start, because the other parts already use it. */
export function postgresPart({ dataDir, backupDir }: StackConfig, log: LineLog): Part<RunningPostgres> {
  let port: number | undefined;
  const start = async (signal: AbortSignal): Promise<RunningPostgres> => {
    const archiveDir = backupDir && archiveDirOf(backupDir);
    const running = await startPostgres({ dataDir: join(dataDir, 'postgres'), archiveDir, port, log, signal });
    port = running.port;
    return running;
  };
  return { name: 'PostgreSQL', start };
}

/** Valkey or Redis as a part, for the limits of several API processes. */
export function limitsPart({ dataDir, searchPath }: StackConfig, port: number, log: LineLog): Part {
  const start = async (signal: AbortSignal): Promise<Running> => {
    const child = await startLimitsServer({ dataDir: join(dataDir, 'limits'), searchPath, port, log, signal });
    return { exited: child.exited, stop: () => child.stop(MODEL_STOP_MS) };
  };
  return { name: 'The server of limits', start };
}

/** Temporal's development server as a part, at ports chosen before it runs. Its first start may have to obtain the program. */
export function temporalPart(
  { dataDir, searchPath, temporalNamespace, downloadMirrorUrl }: StackConfig,
  { ports, onProgress, log }: { ports: TemporalPorts; onProgress: Progress; log: LineLog },
): Part<RunningTemporal> {
  const start = async (signal: AbortSignal): Promise<RunningTemporal> => {
    const archivesUrl = mirrored(TEMPORAL_RELEASES_URL, downloadMirrorUrl);
    const binary = await findTemporalBinary({
      binDir: join(dataDir, 'bin'),
      searchPath,
      archivesUrl,
      onProgress,
      signal,
    });
    return startTemporal({
      dataDir: join(dataDir, 'temporal'),
      namespace: temporalNamespace,
      ...ports,
      binary,
      log,
      signal,
    });
  };
  return { name: 'Temporal', start };
}

const WAIT_TIMEOUT_MS = 300_000;
const FETCH_FAILURE = /could not be fetched/;

/** The message while a model is being fetched or loaded. */
export const MODEL_IS_LATE = 'The embedded model does not answer yet.';

/** Waits until the embedded model answers; gives up early if its file is not available, and returns why. */
export async function waitForModel(url: string): Promise<string | undefined> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS;
  let message: string | undefined = MODEL_IS_LATE;
  while (message && Date.now() < deadline && !FETCH_FAILURE.test(message)) {
    await sleep(100);
    message = await complaintOf(url);
  }
  return message;
}

async function complaintOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL('/health', url), { signal: AbortSignal.timeout(2_000) });
    const { message } = (await response.json()) as { message?: string };
    return response.ok ? undefined : (message ?? 'The embedded model is not ready.');
  } catch {
    return MODEL_IS_LATE;
  }
}

/** The id of the first text model in the catalogue that can answer: without the embedded model, a model with another upstream. */
export async function firstTextModel(
  catalogFile: string,
  { hasEmbeddedModel }: { hasEmbeddedModel: boolean },
): Promise<string | undefined> {
  const { models, upstreams } = JSON.parse(await readFile(catalogFile, 'utf8')) as Catalogue;
  const isThere = ({ upstream }: { upstream: string }) => upstreams[upstream]?.baseUrl !== '${EMBEDDED_URL}';
  return models.find((model) => model.kind === 'text' && (hasEmbeddedModel || model.upstreams.some(isThere)))?.id;
}

type Catalogue = {
  upstreams: Record<string, { baseUrl?: string }>;
  models: { id: string; kind: string; upstreams: { upstream: string }[] }[];
};
