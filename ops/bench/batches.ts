import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './area.ts';
import type { Installation } from './installation.ts';
import { BENCH_MODEL, chatRequest, drive, untilElapsed } from './load.ts';
import { treeMicrosOf } from './machine/processor.ts';
import { drivePaced } from './pacedLoad.ts';
import { startBenchTemporal } from './runs/stage.ts';
import { type RunningProcess, type RunningServer, withParts } from './servers.ts';
import { percentileOf } from './statistics.ts';

/** Calls of one kind. CPU is that of a call, in microseconds: of the process that makes it, and of PostgreSQL. */
export interface CallRates {
  perSecond: number;
  processMicros: number;
  databaseMicros: number;
}

interface Latencies {
  p50Ms: number;
  p99Ms: number;
}

export interface BatchRound {
  lines: CallRates;
  live: CallRates;
  /** Live calls at an even pace, with and without a batch that runs. */
  alone: Latencies;
  beside: Latencies;
}

export const CONCURRENCY = 16;
export const PACE = { connections: 10, perSecond: 100 };
// More than can run while live calls are measured.
const LONG_LINES = 30_000;
const POLL_MS = 20;
const LIMIT_MS = 120_000;

/** Lines of batches beside live calls, at the same concurrency and in front of the same upstream, on all cores. */
export async function measureBatches({ installation, plan, onProgress }: Bench): Promise<BatchRound[]> {
  const { rounds, lines, liveMs, pacedMs } = plan.batches;
  return withBatchStage(installation, async (stage) => {
    const request = chatRequest({ key: installation.secret, stream: false });
    const paced = async (): Promise<Latencies> => {
      const { latenciesMs } = await drivePaced({ url: stage.api.url, request, ...PACE }, pacedMs);
      return { p50Ms: percentileOf(latenciesMs, 0.5), p99Ms: percentileOf(latenciesMs, 0.99) };
    };
    const measured: BatchRound[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      onProgress(`batches, round ${round} of ${rounds}`);
      const live = await timeLive(stage, request, liveMs);
      const rates = await timeLines(stage, lines);
      const alone = await paced();
      const id = await createBatch(stage, LONG_LINES);
      await untilRow(stage, id, ({ completed }) => completed > 0);
      const beside = await paced();
      await cancelBatch(stage, id);
      // The first round is a warm-up.
      if (round > 0) measured.push({ lines: rates, live, alone, beside });
    }
    return measured;
  });
}

interface BatchStage {
  installation: Installation;
  api: RunningServer;
  worker: RunningProcess;
}

function withBatchStage<T>(installation: Installation, work: (stage: BatchStage) => Promise<T>): Promise<T> {
  return withParts(async (keep) => {
    const upstream = await keep(installation.startFreeUpstream());
    const { address } = await keep(startBenchTemporal(installation.folder));
    const env = { BATCH_CONCURRENCY: String(CONCURRENCY) };
    const worker = await keep(installation.startWorker(upstream.url, address, env));
    const api = await keep(installation.startApiOfRuns(upstream.url, address));
    return work({ installation, api, worker });
  });
}

async function timeLive({ installation, api }: BatchStage, request: Buffer, ms: number): Promise<CallRates> {
  const { database } = installation;
  const [process, postgres] = [treeMicrosOf(api.pid), database.cpuMicros()];
  const seen = await drive({ url: api.url, request, connections: CONCURRENCY }, untilElapsed(ms));
  await database.posted();
  return {
    perSecond: seen.answers / seen.seconds,
    processMicros: (treeMicrosOf(api.pid) - process) / seen.answers,
    databaseMicros: (database.cpuMicros() - postgres) / seen.answers,
  };
}

/** From the first lines with a result to the last one: without the check of the file and the writing of results. */
async function timeLines(stage: BatchStage, count: number): Promise<CallRates> {
  const { worker, installation } = stage;
  const { database } = installation;
  const id = await createBatch(stage, count);
  const { completed: before } = await untilRow(stage, id, ({ completed }) => completed > 0);
  const startedAtMs = performance.now();
  const [process, postgres] = [treeMicrosOf(worker.pid), database.cpuMicros()];
  await untilRow(stage, id, ({ completed }) => completed === count);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await database.posted();
  const lines = count - before;
  return {
    perSecond: lines / seconds,
    processMicros: (treeMicrosOf(worker.pid) - process) / lines,
    databaseMicros: (database.cpuMicros() - postgres) / lines,
  };
}

interface BatchRow {
  completed: number;
  failed: number;
  status: string;
}

async function untilRow(
  { installation: { db } }: BatchStage,
  id: string,
  isReached: (row: BatchRow) => boolean,
): Promise<BatchRow> {
  const deadlineMs = performance.now() + LIMIT_MS;
  for (;;) {
    const { rows } = await db.pool.query<BatchRow>('select completed, failed, status from batches where id = $1', [id]);
    const row = rows[0]!;
    if (isReached(row)) return row;
    if (row.failed > 0 || row.status === 'failed' || performance.now() > deadlineMs)
      throw new Error(`a batch stopped: ${JSON.stringify(row)}`);
    await sleep(POLL_MS);
  }
}

/** Uploads a file of this many lines, and starts its batch. */
async function createBatch(stage: BatchStage, count: number): Promise<string> {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([fileOf(count)]), 'calls.jsonl');
  const file = await ask(stage, '/v1/files', { body: form });
  const order = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' };
  return (await ask(stage, '/v1/batches', { body: JSON.stringify(order), json: true })).id;
}

async function cancelBatch(stage: BatchStage, id: string): Promise<void> {
  await ask(stage, `/v1/batches/${id}/cancel`, {});
  await untilRow(stage, id, ({ status }) => status === 'cancelled');
}

function fileOf(count: number): string {
  const messages = [{ role: 'user', content: 'Say the fixed sentence.' }];
  const call = { method: 'POST', url: '/v1/chat/completions', body: { model: BENCH_MODEL, messages } };
  return Array.from({ length: count }, (_, line) => JSON.stringify({ custom_id: `line-${line}`, ...call })).join('\n');
}

async function ask(
  { installation: { secret }, api }: BatchStage,
  path: string,
  { body, json = false }: { body?: FormData | string; json?: boolean },
): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${secret}`, ...(json && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: body ?? null });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}
