import { expect } from '@jest/globals';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createSealingKey } from '../../../db/sealing/sealingKeys.ts';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import { findLimitsProgram } from '../../../ops/stack/limitsServer.ts';
import { startChild } from '../../../ops/stack/process/child.ts';
import { RUN_WORKFLOW } from '../../../contracts/run.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { hasNamespaces, openNetwork, type Network } from '../../support/namespaces.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { until } from '../../support/until.ts';
import { createCaller } from '../stages/runCaller.ts';

/** Whether this machine can simulate three: namespaces need root, `iproute2` and `nftables`, and limits a Valkey or Redis server. */
export const canBeThree = hasNamespaces() && findLimitsProgram(process.env.PATH ?? '') !== undefined;

export type TwoMachines = Awaited<ReturnType<typeof setTwoMachines>>;
type Account = Awaited<ReturnType<typeof makeAccount>>;

/**
 * Two machines, each with an API process and a worker, and a third one with PostgreSQL, Temporal and Valkey or Redis, all of them network
 * namespaces. Clients and a scripted upstream are in this process.
 */
export async function setTwoMachines({ env = {} }: { env?: Record<string, string> } = {}) {
  const network = await openNetwork();
  const data = await startDataMachine(network);
  const sharedServer = process.env.TEST_DATABASE_URL;
  process.env.TEST_DATABASE_URL = data.postgresUrl;
  const database = await makeDatabase();
  const db = await openTestDatabase({ url: database.url, spends: false });
  const upstream = await startScripted({ host: network.hostAddress });
  const temporalAddress = `${network.data.address}:${data.ports.Temporal}`;
  const common = { PLUGIN_SECRETS_KEY: createSealingKey(), SANDBOX_TIER: 'quickjs', OPEN_RUNS_MAX: '1000', ...env };
  const machines = await Promise.all(network.machines.map((machine) => startMachine(machine)));
  const connection = Connection.lazy({ address: temporalAddress });
  const { workflow } = new Client({ connection });

  async function startMachine(machine: Network['machines'][number]) {
    // The machines cannot see each other's disks.
    const disk = await makeFolder();
    const setting = { databaseUrl: withoutPatience(database.url), upstreamUrl: upstream.url, enter: machine.enter };
    const its = {
      ...common,
      TMPDIR: disk.path,
      DATA_DIR: disk.path,
      HOST: machine.address,
      TEMPORAL_ADDRESS: temporalAddress,
    };
    const limits = `redis://${network.data.address}:${data.ports.limits}`;
    const [api, worker] = await Promise.all([
      startApiProcess({ ...setting, env: { ...its, LIMITS_REDIS_URL: limits } }),
      startWorkerProcess({ ...setting, temporalAddress, env: its }),
    ]);
    const stop = async () => {
      await Promise.all([api.stop(), worker.stop()]);
      await disk.remove();
    };
    return { ...machine, api, worker, url: api.url, stop };
  }

  const leftOpen = async () => (await db.pool.query(LEFT_OPEN)).rows[0] as { runs: number; holds: number };

  return {
    db,
    upstream,
    ports: data.ports,
    machines: machines as [(typeof machines)[0], (typeof machines)[0]],
    urls: () => machines.map(({ url }) => url),
    account: (options?: Parameters<typeof makeAccount>[1]) => makeAccount(db, options),
    balance: ({ workspaceId }: Account) => balanceOf(db, workspaceId),
    publish: (account: Account, tools: string[] = []) =>
      publishAgent(db, { tools }, { workspaceId: account.workspaceId }),
    /** The number of processes that others have treated as dead. */
    countReaped: async (): Promise<number> => (await db.pool.query(REAPED)).rows[0].processes,
    /** A client of the first and one of the second machine. */
    callers: (account: Account, agent: string) =>
      machines.map(({ url }) => createCaller({ url: () => url, account, agent })),
    heal: () => Promise.all(machines.map((machine) => machine.heal())),
    /** Waits until no run, hold or workflow is open, and checks every rule of the ledger. */
    async quiet(...accountIds: string[]): Promise<void> {
      const isQuiet = async () => {
        for (const accountId of accountIds) await db.notices.send(db.pool, { kind: 'scarce', accountId });
        const { runs, holds } = await leftOpen();
        return runs === 0 && holds === 0;
      };
      await until(isQuiet, { pollMs: 100, timeoutMs: 150_000 });
      const query = `WorkflowType = '${RUN_WORKFLOW}' and ExecutionStatus = 'Running'`;
      await until(async () => (await workflow.count(query)).count === 0, { pollMs: 100 });
      await expectSoundLedger(db);
    },
    expectNoCrash(): void {
      const lines = machines.flatMap(({ api, worker }) => [...api.lines, ...worker.lines]);
      expect(lines.filter((line) => line.includes('"msg":"crashed"'))).toEqual([]);
    },
    async close(): Promise<void> {
      await Promise.all(machines.map((machine) => machine.heal()));
      await Promise.all(machines.map(({ stop }) => stop()));
      await connection.close();
      await upstream.stop();
      await db.close();
      process.env.TEST_DATABASE_URL = sharedServer;
      await data.stop();
      await network.close();
    },
  };
}

/** The address with the product's time limits: the tests' limits are for machines that run many of them. */
function withoutPatience(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete('connect_timeout');
  return url.href;
}

interface DataMachine {
  postgresUrl: string;
  ports: Record<'PostgreSQL' | 'Temporal' | 'limits', number>;
}

async function startDataMachine({ data }: Network) {
  const [command, ...args] = [...data.enter, process.execPath, join(import.meta.dirname, 'dataMachine.ts')];
  const started = Promise.withResolvers<DataMachine>();
  const errors: string[] = [];
  const child = await startChild({
    command,
    args: [...args, data.address],
    env: process.env,
    onStdout: (line) => started.resolve(JSON.parse(line) as DataMachine),
    onStderr: (line) => errors.push(line),
    stopSignal: 'SIGTERM',
  });
  void child.exited.then((phrase) =>
    started.reject(new Error(`the machine of the data ${phrase}: ${errors.join('\n')}`)),
  );
  const { postgresUrl, ports } = await started.promise;
  return { ports, postgresUrl: postgresUrl.replace('127.0.0.1', data.address), stop: () => child.stop(30_000) };
}

const REAPED = 'select count(*)::int as processes from processes where reaped_at is not null';

const LEFT_OPEN = `
select (select count(*)::int from runs where settled_at is null) as runs,
  (select count(*)::int from holds where state = 'open') as holds`;
