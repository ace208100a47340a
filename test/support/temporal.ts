import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../stack/port.ts';
import { startTemporal } from '../../stack/temporal.ts';
import { findTemporalBinary } from '../../stack/temporalBinary.ts';

export type TestTemporal = { address: string; namespace: string; stop(): Promise<void> };

/** A Temporal server of a test's own, with the program that this checkout already has or obtains once. */
export async function startTestTemporal(): Promise<TestTemporal> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-temporal-'));
  const binary = await findTestBinary();
  // Free ones of its own: test files that run side by side would both prefer the usual one.
  const [port, uiPort] = [await freePort(), await freePort()];
  const temporal = await startTemporal({ dataDir, binary, port, uiPort, log: () => {} });
  const stop = async (): Promise<void> => {
    await temporal.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { address: temporal.address, namespace: 'default', stop };
}

/** The same program that `npm start` uses and keeps. */
export function findTestBinary(): Promise<string> {
  const searchPath = process.env.PATH ?? '';
  return findTemporalBinary({ binDir: '.data/bin', searchPath, onProgress: () => {} });
}
