import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres, type RunningPostgres } from '../../stack/postgres.ts';
import { readJson } from '../support/readFrames.ts';
import { until } from '../support/until.ts';
import { ask, chatBody, setMoneyStage, type Account, type Answer, type MoneyStage } from './moneyStage.ts';

const clients = 16;
const kills = 10;
const restarts = 3;
const sharedServer = process.env.TEST_DATABASE_URL;
let folder: string;
let postgres: RunningPostgres;
let stage: MoneyStage;

// A server of its own: it will be killed.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledgerline-killed-'));
  await chmod(folder, 0o755);
  postgres = await startPostgres({ dataDir: folder, log: () => {} });
  process.env.TEST_DATABASE_URL = postgres.url;
  stage = await setMoneyStage();
});
afterAll(async () => {
  await stage?.close();
  process.env.TEST_DATABASE_URL = sharedServer;
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Calls of all clients, one after another for each, whole and streamed in turn, until it is stopped. */
function startLoad({ secret }: Account) {
  const answers: Answer[] = [];
  const ending = new AbortController();
  const client = async (number: number) => {
    for (let call = number; !ending.signal.aborted; call += 1) {
      const body = chatBody({ text: 'word '.repeat(20), delayMs: 3 }, { stream: call % 2 === 0 });
      const answer = await ask(stage.urls()[0]!, secret, body);
      answers.push(answer);
      // As a client would, before it tries again.
      if (answer.status !== 200) await sleep(20);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    answers,
    served: () => answers.filter(({ status }) => status === 200).length,
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

/** The server and every process of it: sessions that are busy could outlive their server for a while, and go on serving. */
async function killDatabase(): Promise<void> {
  const { rows } = await stage.db.pool.query('select pid from pg_stat_activity');
  for (const pid of [postgres.pid, ...rows.map((row) => row.pid as number)]) killIfThere(pid);
  await postgres.exited;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

/** Ends connections of everybody at random, many times in a row. */
async function cutConnections(times: number): Promise<void> {
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  for (let cut = 0; cut < times; cut += 1) {
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend' and random() < 0.3`,
    );
    await sleep(50);
  }
  await owner.end();
}

/** Statuses and codes of everything that did not go well, in streams too. */
function failuresIn(answers: Answer[]): Set<string> {
  const failures = answers.flatMap(({ status, code, text }) => {
    if (status !== 200) return [`${status} ${code}`];
    if (!text.startsWith('data: ')) return [];
    const errors = readJson<{ error?: { code: string } }>(text).flatMap(({ error }) => error?.code ?? []);
    return errors.map((each) => `stream ${each}`);
  });
  return new Set(failures);
}

/** Each whole answer that arrived was billed what its header said, and once. */
async function expectBilled(account: Account, answers: Answer[]): Promise<void> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select id, cost_nanos from requests where key_id = $1', [account.keyId]);
  const billed = new Map(rows.map((row) => [row.id as string, BigInt(row.cost_nanos as string)]));
  const whole = answers.filter(({ status, text }) => status === 200 && text.startsWith('{'));
  expect(whole.length).toBeGreaterThan(0);
  for (const { requestId, costNanos } of whole) expect(billed.get(requestId)).toBe(costNanos);
  for (const { status, requestId } of answers) if (status !== 200) expect(billed.get(requestId) ?? 0n).toBe(0n);
}

/** What the load met, and what it was billed, is as it should be. */
async function expectSound(account: Account, answers: Answer[]): Promise<void> {
  const failures = [...failuresIn(answers)];
  expect(failures.filter((failure) => failure !== '503 overloaded' && failure !== 'stream overloaded')).toEqual([]);
  await expectBilled(account, answers);
  await stage.quiet(account.accountId);
}

/** Serves under load, loses its database, gets it back, and serves again. */
async function outlive(takeAway: () => Promise<void>): Promise<void> {
  const account = await stage.account({ creditUsd: '100' });
  const load = startLoad(account);
  await until(() => load.served() > 50);
  await takeAway();
  const asked = await untilRefused(account);
  postgres = await startPostgres({ dataDir: folder, log: () => {} });
  const servedBefore = load.served();
  await until(() => load.served() > servedBefore + 50, { patienceMs: 5_000 });
  await load.stop();
  await expectSound(account, [...load.answers, ...(await Promise.all(asked))]);
}

/** Asks apart from the load, and again before it is answered: what had been let in waits for its bill, as the streams of the load may all do. */
async function untilRefused({ secret }: Account): Promise<Promise<Answer>[]> {
  const asked: Promise<Answer>[] = [];
  let isRefused = false;
  const askAgain = () => {
    const asking = ask(stage.urls()[0]!, secret, chatBody({}));
    asked.push(asking);
    void asking.then(({ status }) => (isRefused ||= status === 503));
    return isRefused;
  };
  await until(askAgain, { pollMs: 50 });
  return asked;
}

const nothingBut503 = 'meets nothing but 503 while the database';

describe('a funded caller', () => {
  test.each(Array.from({ length: kills }, (_, round) => round))(
    `${nothingBut503} is dead, and is served again (round %i)`,
    () => outlive(killDatabase),
  );

  test.each(Array.from({ length: restarts }, (_, round) => round))(
    `${nothingBut503} restarts in good order, and is served again (round %i)`,
    () => outlive(() => postgres.stop()),
  );

  test('is served again while connections to the database are cut at random', async () => {
    const account = await stage.account({ creditUsd: '100' });
    const load = startLoad(account);
    await until(() => load.served() > 50);
    await cutConnections(30);
    const servedBefore = load.served();
    await until(() => load.served() > servedBefore + 100, { patienceMs: 5_000 });
    await load.stop();
    await expectSound(account, load.answers);
  });
});

test('the process that outlived all this has not crashed once, and is the same', () => {
  expect(stage.running).toHaveLength(1);
  expect(stage.running[0]!.lines.filter((line) => line.includes('"msg":"crashed"'))).toEqual([]);
});
