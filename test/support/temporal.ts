import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporal } from '../../stack/temporal.ts';
import { findTemporalBinary } from '../../stack/temporalBinary.ts';
import { steadyPort } from './network.ts';

export type TestTemporal = {
  address: string;
  namespace: string;
  /** Ends the server as a lack of memory or of power would. */
  kill(): Promise<void>;
  /** Restarts it on the same ports with its data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A Temporal server of a test's own, with the program that this checkout already has or obtains once. */
export async function startTestTemporal(): Promise<TestTemporal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-temporal-'));
  const binary = await findTestBinary();
  // Free ones of its own: test files that run side by side would both prefer the usual one.
  const [port, uiPort] = [await steadyPort(), await steadyPort()];
  const start = () => startTemporal({ dataDir, binary, port, uiPort, log: () => {} });
  let temporal = await start();
  return {
    address: temporal.address,
    namespace: 'default',
    kill: async () => {
      process.kill(temporal.pid, 'SIGKILL');
      await temporal.exited;
    },
    restart: async () => {
      temporal = await start();
    },
    stop: async () => {
      await temporal.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The same program that `npm start` uses and keeps. */
export function findTestBinary(): Promise<string> {
  const searchPath = process.env.PATH ?? '';
  return findTemporalBinary({ binDir: '.data/bin', searchPath, onProgress: () => {} });
}
