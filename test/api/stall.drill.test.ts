import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { migrate } from '../../db/postgres/migrations.ts';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import { startPostgres } from '../../ops/stack/postgres.ts';
import { makeAccount } from '../support/account.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, chatBody, chatPath, type ErrorBody } from '../support/guardStage.ts';
import { startApiProcess } from '../support/startApi.ts';
import { until } from '../support/until.ts';

const READ_EVERY_MS = 250;
/** More concurrent reads than the pool has connections. */
const READERS = 12;

const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-stall-'));
await chmod(dataDir, 0o755);
const postgres = await startPostgres({ dataDir, log: () => {} });
await migrate(postgres.url, postgres.applicationUrl);
const db = await openTestDatabase({ url: postgres.applicationUrl, spends: false });
const { secret } = await makeAccount(db, { creditUsd: '100' });
await db.close();
const headers = { 'x-api-key': secret };
const upstream = await startScripted();
const api = await startApiProcess({ databaseUrl: postgres.applicationUrl, upstreamUrl: upstream.url });
afterAll(async () => {
  await api.stop();
  await upstream.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const readPaths = ['/platform/v1/keys', '/v1/runs', '/v1/files', '/platform/v1/billing/balance', '/platform/v1/key'];

const statusOf = async (path: string, body?: string) => {
  const response = await ask(api.url, path, { headers, body });
  await response.text();
  return response.status;
};

const allReads = () => Promise.all(Array.from({ length: READERS }, (_, at) => statusOf(readPaths[at % 5]!)));

/** Signals the server and each of its processes, which have their own process groups. */
async function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const { pid } = postgres;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of [pid, ...children.trim().split(' ').map(Number)]) process.kill(child, signal);
}

/** Stalls the database for this long while reads and checks continue to arrive. Resolves with the final answer of `/readyz`. */
async function stall(seconds: number): Promise<{ status: number; message: string }> {
  await signalAll('SIGSTOP');
  const reads: Promise<unknown>[] = [];
  const paths = [...readPaths, '/readyz'];
  const timer = setInterval(() => reads.push(...paths.map((path) => statusOf(path))), READ_EVERY_MS);
  try {
    await sleep(seconds * 1_000);
    const answer = await ask(api.url, '/readyz');
    return { status: answer.status, message: ((await answer.json()) as ErrorBody).error.message };
  } finally {
    clearInterval(timer);
    await signalAll('SIGCONT');
    await Promise.all(reads);
  }
}

test.each([8, 14, 30, 60])(
  'after the database stalled for %d s every read and call works again without a restart',
  async (seconds) => {
    await until(async () => (await allReads()).every((status) => status === 200));
    expect(await stall(seconds)).toEqual({
      status: 503,
      message:
        'The service cannot take this request right now (database: main, reading, settling, posting). Try again shortly.',
    });
    await until(async () => (await statusOf('/readyz')) === 200, { pollMs: 50 });
    await until(async () => (await allReads()).every((status) => status === 200), { pollMs: 50 });
    await until(async () => (await statusOf(chatPath, chatBody())) === 200, { pollMs: 50 });
  },
);
