import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { seedAgents } from '../../db/agents/houseAgents.ts';
import { inTransaction } from '../../db/postgres/transaction.ts';
import { startTemporal } from '../../stack/temporal.ts';
import { findTemporalBinary } from '../../stack/temporalBinary.ts';
import type { Installation } from '../installation.ts';
import { type RunningProcess, type RunningServer, startProcess } from '../servers.ts';

/** Everything that runs need, and beside it what they are compared with, on one Temporal server. Nothing is pinned to a core. */
export interface RunStage {
  installation: Installation;
  api: RunningServer;
  client: Client;
}

const root = join(import.meta.dirname, '../..');

/** An upstream that answers at once, a Temporal server, our API and worker, and a worker of bare workflows, as long as `work` takes. */
export async function withRunStage<T>(installation: Installation, work: (stage: RunStage) => Promise<T>): Promise<T> {
  const ends: (() => Promise<void>)[] = [];
  const keep = async <Part extends { stop(): Promise<void> }>(starting: Promise<Part>): Promise<Part> => {
    const part = await starting;
    ends.push(() => part.stop());
    return part;
  };
  try {
    await inTransaction(installation.db.pool, seedAgents);
    const upstream = await keep(installation.startScripted());
    const temporal = await keep(startServerOf(installation.folder));
    await keep(startBareWorker(installation.folder, temporal.address));
    await keep(installation.startWorker(upstream.url, temporal.address));
    const api = await keep(installation.startApiOfRuns(upstream.url, temporal.address));
    const connection = await Connection.connect({ address: temporal.address });
    ends.push(() => connection.close());
    return await work({ installation, api, client: new Client({ connection }) });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** As `npm start` starts it, but on ports of its own. */
async function startServerOf(folder: string) {
  const binDir = join(root, '.data/bin');
  const binary = await findTemporalBinary({ binDir, searchPath: '', onProgress: () => {} });
  const dataDir = join(folder, 'temporal');
  await mkdir(dataDir, { recursive: true });
  return startTemporal({ dataDir, binary, log: () => {} });
}

function startBareWorker(folder: string, temporalAddress: string): Promise<RunningProcess> {
  const args = ['bench/runs/bareWorker.ts', temporalAddress];
  return startProcess({ name: 'bareWorker', args, folder }, 'working');
}
