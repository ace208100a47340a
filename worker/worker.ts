import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type ActivityDependencies, createActivities } from '../activities/index.ts';
import { taskQueue } from '../workflows/contract.ts';
import { ensureSweepSchedule } from './schedule.ts';

const reconnectDelayMs = 2_000;

export type WorkerOptions = ActivityDependencies & {
  temporalAddress: string;
  temporalNamespace: string;
  logger: Logger;
};

export type LedgerlineWorker = {
  /** Works until the process gets SIGINT or SIGTERM, or `stop` is called; then running activities may finish. */
  run(): Promise<void>;
  stop(): void;
};

/** Connects to Temporal, as often as it takes, sets up the schedules, and makes a worker that is ready to run. */
export async function createWorker(options: WorkerOptions): Promise<LedgerlineWorker> {
  const connection = await connect(options);
  const namespace = options.temporalNamespace;
  await ensureSweepSchedule(new Client({ connection, namespace }));
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
    activities: createActivities(options),
    shutdownGraceTime: '15s',
    shutdownForceTime: '20s',
  });
  return { run: () => runAndClose(worker, connection), stop: () => worker.shutdown() };
}

async function runAndClose(worker: Worker, connection: NativeConnection): Promise<void> {
  try {
    await worker.run();
  } finally {
    await connection.close();
  }
}

async function connect({ temporalAddress, logger }: WorkerOptions): Promise<NativeConnection> {
  for (;;) {
    try {
      return await NativeConnection.connect({ address: temporalAddress });
    } catch (error) {
      logger.warn({ err: error, temporalAddress }, 'Temporal does not answer; trying again');
      await sleep(reconnectDelayMs);
    }
  }
}
