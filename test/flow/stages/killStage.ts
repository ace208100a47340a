import { expect } from '@jest/globals';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import { startPostgres } from '../../../ops/stack/postgres.ts';
import { RUN_WORKFLOW } from '../../../contracts/run.ts';
import { makeAccount } from '../../support/account.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { publishAgent } from '../../support/agent.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { steadyPort } from '../../support/network.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

/** A process that can be killed as by the kernel's out-of-memory killer, and restarted as by its supervisor. */
export interface Victim {
  kill(): Promise<void>;
  start(): Promise<void>;
}

export type KillStage = Awaited<ReturnType<typeof setKillStage>>;

/**
 * The whole platform as separate processes: API, worker and Temporal, and a separate PostgreSQL if it is to be killed. In addition a
 * scripted upstream, an agent with tools and questions, and an account with credit. `reach`: variables of API and worker for this database.
 */
export async function setKillStage({
  killsDatabase = false,
  env: given = {},
  reach = async () => ({}),
}: {
  killsDatabase?: boolean;
  env?: Record<string, string>;
  reach?: (databaseUrl: string) => Promise<Record<string, string>>;
} = {}) {
  const [postgres, temporal] = await Promise.all([killsDatabase ? setPostgres() : sharedPostgres, startTestTemporal()]);
  const database = await makeDatabase();
  const db = await openTestDatabase({ url: database.url, spends: false });
  const more = { ...given, ...(await reach(database.url)) };
  const upstream = await startScripted();
  const setting = { databaseUrl: database.url, upstreamUrl: upstream.url };
  const env = { TEMPORAL_ADDRESS: temporal.address, SANDBOX_TIER: 'quickjs', OPEN_RUNS_MAX: '1000', ...more };
  const [api, worker] = await Promise.all([
    setProcess(() => startApiProcess({ ...setting, env })),
    setProcess(() => startWorkerProcess({ ...setting, temporalAddress: temporal.address, env })),
  ]);
  const connection = Connection.lazy({ address: temporal.address });
  const { workflow } = new Client({ connection });
  const account = await makeAccount(db, { creditUsd: '1000', scopes: ['llm', 'batch', 'publisher'] });
  const tools = ['write_file', 'ask_user'];
  const agent = await publishAgent(db, { tools }, { workspaceId: account.workspaceId });

  async function countOpenRuns(): Promise<number> {
    return (await db.pool.query(LEFT_OPEN)).rows[0].runs as number;
  }

  /** No run has an open row, hold or workflow; and every rule of the ledger holds. */
  async function expectQuiet(): Promise<void> {
    const { rows } = await db.pool.query(LEFT_OPEN);
    expect(rows[0]).toEqual({ runs: 0, holds: 0 });
    const query = `WorkflowType = '${RUN_WORKFLOW}' and ExecutionStatus = 'Running'`;
    await until(async () => (await workflow.count(query)).count === 0, { pollMs: 100 });
    await expectSoundLedger(db);
  }

  /** The same after open work has ended: slices of idle keys return a moment later. */
  async function expectQuietSoon(): Promise<void> {
    const isQuiet = async () => {
      await db.notices.send(db.pool, { kind: 'scarce', accountId: account.accountId });
      const { rows } = await db.pool.query(LEFT_OPEN);
      return rows[0].runs === 0 && rows[0].holds === 0;
    };
    await until(isQuiet, { pollMs: 100 });
    await expectQuiet();
  }

  async function close(): Promise<void> {
    await connection.close();
    await Promise.all([api.stop(), worker.stop()]);
    await temporal.stop();
    await upstream.stop();
    await db.close();
    await database.drop();
    await postgres.stop();
  }

  return {
    db,
    upstream,
    account,
    agent,
    victims: {
      API: api,
      worker,
      Temporal: { kill: () => temporal.kill(), start: () => temporal.restart() },
      PostgreSQL: postgres,
    } satisfies Record<string, Victim>,
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    url: () => api.latest().url,
    /** The current processes of our programs. */
    programs: () => [api.latest(), worker.latest()],
    /** Log lines of API and worker about unexpected ends. */
    crashes: () => [...api.latest().lines, ...worker.latest().lines].filter((line) => line.includes('"msg":"crashed"')),
    /** What all workers have logged about this, also those that were killed. */
    workerLinesWith: (text: string) => worker.all.flatMap(({ lines }) => lines).filter((line) => line.includes(text)),
    countOpenRuns,
    expectQuiet,
    expectQuietSoon,
    close,
  };
}

/** One of our processes, which gets a new address, if it has one, at each start. */
export async function setProcess<Running extends { pid: number; stop(): Promise<void> }>(
  start: () => Promise<Running>,
) {
  let latest = await start();
  let running: Running | undefined = latest;
  const all = [latest];
  return {
    latest: () => latest,
    /** Also those that were killed, in their order. */
    all,
    kill: async () => {
      process.kill(latest.pid, 'SIGKILL');
      running = undefined;
      await latest.stop();
    },
    start: async () => {
      running = latest = await start();
      all.push(latest);
    },
    stop: async () => running?.stop(),
  };
}

const sharedPostgres = {
  kill: () => Promise.reject(new Error('others use this database, too')),
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

// A separate server for this test, where the database is created.
async function setPostgres() {
  const sharedServer = process.env.TEST_DATABASE_URL;
  const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-killed-'));
  await chmod(dataDir, 0o755);
  const port = await steadyPort();
  const open = () => startPostgres({ dataDir, port, log: () => {} });
  let running = await open();
  process.env.TEST_DATABASE_URL = running.url;
  return {
    kill: async () => {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    start: async () => void (running = await open()),
    stop: async () => {
      process.env.TEST_DATABASE_URL = sharedServer;
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const LEFT_OPEN = `
select (select count(*)::int from runs where settled_at is null) as runs,
  (select count(*)::int from holds where state = 'open') as holds`;
