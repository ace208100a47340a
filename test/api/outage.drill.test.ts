import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKeySecret } from '../../db/keys/keySecret.ts';
import { migrate } from '../../db/postgres/migrations.ts';
import { startScripted, type Scripted } from '../../rules/scripted/startScripted.ts';
import { startPostgres, type RunningPostgres } from '../../ops/stack/postgres.ts';
import { makeAccount } from '../support/account.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, chatBody, chatPath, told, type ErrorBody } from '../support/guardStage.ts';
import { startApiProcess, type RunningApi } from '../support/startApi.ts';
import { until } from '../support/until.ts';

let dataDir: string;
let postgres: RunningPostgres;
let upstream: Scripted;
let api: RunningApi;
let known: Record<string, string>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-outage-'));
  await chmod(dataDir, 0o755);
  postgres = await start();
  await migrate(postgres.url, postgres.applicationUrl);
  const db = await openTestDatabase({ url: postgres.applicationUrl, spends: false });
  const { secret } = await makeAccount(db, { creditUsd: '100' });
  await db.close();
  known = { 'x-api-key': secret };
  upstream = await startScripted();
  api = await startApiProcess({ databaseUrl: postgres.applicationUrl, upstreamUrl: upstream.url });
});
afterAll(async () => {
  await api?.stop();
  await upstream?.stop();
  await postgres?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startPostgres({ dataDir, log: () => {} });

/** Signals the server and each of its processes, which have their own process groups. */
async function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const { pid } = postgres;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of [pid, ...children.trim().split(' ').map(Number)]) process.kill(child, signal);
}

const everyRoute: [string, string | undefined][] = [
  [chatPath, chatBody()],
  [chatPath, chatBody({ stream: true })],
  ['/v1/completions', JSON.stringify({ model: 'ledgerline-text-1', prompt: 'a' })],
  ['/v1/responses', JSON.stringify({ model: 'ledgerline-text-1', input: 'a' })],
  ['/v1/embeddings', JSON.stringify({ model: 'ledgerline-embed-1', input: 'a' })],
  ['/platform/v1/key', undefined],
  ['/platform/v1/keys', undefined],
  ['/platform/v1/billing/balance', undefined],
  ['/platform/v1/billing/ledger', undefined],
  ['/platform/v1/requests/req_1', undefined],
];

async function expectOverloaded(response: Response): Promise<void> {
  const { error } = (await response.json()) as ErrorBody;
  expect({ status: response.status, code: error.code, type: error.type }).toEqual({
    status: 503,
    code: 'overloaded',
    type: 'api_error',
  });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(error.message).not.toMatch(/postgres|sql|connect|127\.0\.0\.1/i);
}

const chat = async () => {
  const response = await ask(api.url, chatPath, { headers: known, body: chatBody() });
  await response.text();
  return response.status;
};

const readiness = () => ask(api.url, '/readyz');

async function kill(): Promise<void> {
  process.kill(postgres.pid, 'SIGKILL');
  await postgres.exited;
}

async function restart(): Promise<void> {
  postgres = await start();
}

describe.each([
  ['is killed', kill, restart],
  ['hangs', async () => signalAll('SIGSTOP'), async () => signalAll('SIGCONT')],
])('while the database %s', (_, takeAway, bringBack) => {
  test('every route answers 503 overloaded to every key, and works again afterwards without a restart', async () => {
    await until(async () => (await chat()) === 200, { timeoutMs: 20_000 });
    await takeAway();
    try {
      // Calls with money in a slice run until the first bill cannot be written; that answer is withheld.
      await expectOverloaded(await ask(api.url, chatPath, { headers: known, body: chatBody() }));
      const keys = [known, { 'x-api-key': newKeySecret() }];
      const asked = everyRoute.flatMap(([path, body]) => keys.map((headers) => ask(api.url, path, { headers, body })));
      for (const response of await Promise.all(asked)) await expectOverloaded(response);
      // It waits out pauses of some seconds first.
      await until(async () => (await readiness()).status !== 200);
      await expectOverloaded(await readiness());
      expect((await ask(api.url, '/healthz')).status).toBe(200);
    } finally {
      await bringBack();
    }
    await until(async () => (await chat()) === 200, { timeoutMs: 20_000, pollMs: 50 });
    await until(async () => (await readiness()).status === 200);
  });
});

async function streamed(): Promise<Response> {
  await until(async () => (await chat()) === 200, { timeoutMs: 20_000 });
  const body = chatBody({ stream: true, messages: told({ text: 'word '.repeat(20), delayMs: 50 }) });
  const response = await ask(api.url, chatPath, { headers: known, body });
  expect(response.status).toBe(200);
  return response;
}

/** The ledger's row of a request, if any. */
async function billed(response: Response): Promise<{ status: number; costUsd: number }> {
  const id = response.headers.get('x-request-id')!;
  let bill: { status: number; cost_usd: number } | undefined;
  const isBilled = async () => {
    const found = await ask(api.url, `/platform/v1/requests/${id}`, { headers: known });
    const body = (await found.json()) as NonNullable<typeof bill>;
    if (found.status === 200) bill = body;
    return bill !== undefined;
  };
  await until(isBilled, { pollMs: 50 });
  return { status: bill!.status, costUsd: bill!.cost_usd };
}

test('a running stream ends normally when its bill can be written in time', async () => {
  const response = await streamed();
  await kill();
  await restart();
  const text = await response.text();
  expect(text).toContain('"finish_reason":"stop"');
  expect(text).not.toContain('"error"');
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  await until(async () => (await chat()) === 200, { timeoutMs: 20_000, pollMs: 50 });
  expect((await billed(response)).costUsd).toBeGreaterThan(0);
});

test('a stream whose bill cannot be written in time ends with an error and is never billed', async () => {
  const response = await streamed();
  await signalAll('SIGSTOP');
  let text: string;
  try {
    text = await response.text();
  } finally {
    await signalAll('SIGCONT');
  }
  const frames = text.trimEnd().split('\n\n');
  expect(frames.at(-1)).toBe('data: [DONE]');
  const { error } = JSON.parse(frames.at(-3)!.slice('data: '.length)) as ErrorBody;
  expect(error).toMatchObject({ type: 'api_error', code: 'overloaded' });
  await until(async () => (await chat()) === 200, { timeoutMs: 20_000, pollMs: 50 });
  expect(await billed(response)).toEqual({ status: 503, costUsd: 0 });
});
