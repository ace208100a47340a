import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchWorkflowId } from '../../../contracts/batch.ts';
import { chatLine, setBatchStage } from '../../support/batchStage.ts';
import { chatBody, chatPath } from '../../support/guardStage.ts';
import { openTemporalClient } from '../../support/temporal.ts';
import type { RunningWorker } from '../../support/startWorker.ts';
import { until } from '../../support/until.ts';

const lineCount = 50_000;
const concurrency = 16;
const liveMs = 8_000;
const mib = 1_048_576;

const stage = await setBatchStage({ isApart: true });
afterAll(() => stage.close());

const report = (text: string) => process.stderr.write(`${text}\n`);
const rssMibOf = (pid: number) =>
  (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024) / mib;
const at = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)]!;

/** Concurrent live chats for a period: their number a second, and their latencies in milliseconds. */
async function callLive(secret: string, atOnce: number) {
  const latenciesMs: number[] = [];
  const headers = { authorization: `Bearer ${secret}` };
  const endMs = performance.now() + liveMs;
  const callOn = async () => {
    while (performance.now() < endMs) {
      const beganMs = performance.now();
      const response = await stage.ask(chatPath, { headers, body: chatBody({ max_tokens: 64 }) });
      await response.text();
      expect(response.status).toBe(200);
      latenciesMs.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, callOn));
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  return { perSecond: sorted.length / (liveMs / 1_000), p50Ms: at(sorted, 0.5), p99Ms: at(sorted, 0.99) };
}

async function startBatch(secret: string, count: number) {
  const client = stage.clientOf(secret);
  const lines = Array.from({ length: count }, (_, nth) => chatLine(`line-${nth}`, 'Hello.'));
  const { id } = await stage.create(client, lines);
  const counts = async () => (await client.batches.retrieve(id)).request_counts!;
  return { client, id, counts };
}

async function historyOf(batchId: string) {
  const temporal = await openTemporalClient(stage.temporal);
  const { historyLength, historySize = 0 } = await temporal.client.workflow
    .getHandle(batchWorkflowId(batchId))
    .describe();
  await temporal.close();
  return { historyLength, historySizeBytes: historySize };
}

test('a batch of 50,000 lines takes constant memory and a short history', async () => {
  const account = await stage.account({ creditUsd: '1000' });
  const live = await callLive(account.secret, concurrency);
  report(`live, ${concurrency} at once: ${live.perSecond.toFixed(0)} calls/s`);
  const worker: RunningWorker = await stage.startWorker({
    BATCH_CONCURRENCY: `${concurrency}`,
    NODE_OPTIONS: '--max-semi-space-size=16',
  });
  const { client, id, counts } = await startBatch(account.secret, lineCount);
  await until(async () => (await counts()).completed > 5_000, { pollMs: 100, timeoutMs: 600_000 });
  const [beganMs, before] = [performance.now(), (await counts()).completed];
  const rssMib: number[] = [];
  let speed = '';
  const sample = async () => {
    rssMib.push(rssMibOf(worker.pid));
    const { completed } = await counts();
    if (completed < lineCount) speed = (((completed - before) * 1_000) / (performance.now() - beganMs)).toFixed(0);
    return completed === lineCount;
  };
  await until(sample, { pollMs: 1_000, timeoutMs: 1_800_000 });
  const batch = await stage.ended(client, id);
  rssMib.push(rssMibOf(worker.pid));
  const history = await historyOf(id);
  report(
    `batch, ${concurrency} at once: ${speed} lines/s (live: ${live.perSecond.toFixed(0)}); RSS ${Math.min(...rssMib).toFixed(0)} to ` +
      `${Math.max(...rssMib).toFixed(0)} MiB; history ${history.historyLength} events, ${history.historySizeBytes} bytes`,
  );
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: lineCount, completed: lineCount } });
  // Between two collections the heap may double: its peaks are compared.
  const half = Math.ceil(rssMib.length / 2);
  expect(Math.max(...rssMib.slice(half)) - Math.max(...rssMib.slice(0, half))).toBeLessThan(50);
  expect(history.historyLength).toBeLessThan(2_500);
  await stage.killWorker(worker);
}, 2_400_000);

test('live calls keep their speed while a batch runs', async () => {
  const account = await stage.account({ creditUsd: '1000' });
  const worker = await stage.startWorker();
  await callLive(account.secret, 4);
  const alone = await callLive(account.secret, 4);
  const { client, id, counts } = await startBatch(account.secret, 20_000);
  await until(async () => (await counts()).completed > 100, { pollMs: 100, timeoutMs: 600_000 });
  await sleep(1_000);
  const beside = await callLive(account.secret, 4);
  const { completed } = await counts();
  report(
    `live p99 alone ${alone.p99Ms.toFixed(1)} ms, beside a batch ${beside.p99Ms.toFixed(1)} ms (${(beside.p99Ms / alone.p99Ms).toFixed(2)} x); ` +
      `p50 ${alone.p50Ms.toFixed(1)} and ${beside.p50Ms.toFixed(1)} ms; ${completed} lines by then`,
  );
  expect(completed).toBeGreaterThan(100);
  await client.batches.cancel(id);
  expect((await stage.ended(client, id)).status).toBe('cancelled');
  await stage.killWorker(worker);
}, 900_000);
