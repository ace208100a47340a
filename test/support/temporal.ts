import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { startTemporal, type RunningTemporal } from '../../ops/stack/temporal.ts';
import { findTemporalBinary } from '../../ops/stack/temporalBinary.ts';
import { steadyPort } from './network.ts';

export type TestTemporal = {
  address: string;
  namespace: string;
  /** Kills the server like an out-of-memory kill or a power failure. */
  kill(): Promise<void>;
  /** Restarts it on the same ports with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A separate Temporal server for a test, with this checkout's program, which is installed once. */
export async function startTestTemporal({ settings = [] }: { settings?: string[] } = {}): Promise<TestTemporal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-temporal-'));
  const binary = await findTestBinary();
  // Free ports, because concurrent test files would all prefer the default one.
  const [port, uiPort] = [await steadyPort(), await steadyPort()];
  const start = () => startTemporal({ dataDir, binary, port, uiPort, settings, log: () => {} });
  let temporal: RunningTemporal | undefined = await start();
  const { address } = temporal;
  const kill = async () => {
    const killed = temporal;
    temporal = undefined;
    if (!killed) return;
    process.kill(killed.pid, 'SIGKILL');
    await killed.exited;
  };
  return {
    address,
    namespace: 'default',
    kill,
    restart: async () => {
      temporal = await start();
    },
    stop: async () => {
      // Its data are no longer needed, and an orderly shutdown takes two seconds.
      await kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The program that `npm start` also uses and stores. */
export function findTestBinary(): Promise<string> {
  const searchPath = process.env.PATH ?? '';
  return findTemporalBinary({ binDir: '.data/bin', searchPath, onProgress: () => {} });
}

/** A client of a test's server. */
export async function openTemporalClient({ address, namespace }: Pick<TestTemporal, 'address' | 'namespace'>) {
  const connection = await Connection.connect({ address });
  return { client: new Client({ connection, namespace }), close: () => connection.close() };
}
