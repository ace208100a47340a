import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { startChild, type Child } from '../../stack/child.ts';
import { freePort } from '../../stack/port.ts';
import { startTemporal, type RunningTemporal } from '../../stack/temporal.ts';
import { reviewWorkflowId } from '../../workflows/contract.ts';
import { setPublishers } from '../api/publisher/publisherStage.ts';
import { setGuardStage } from '../support/guardStage.ts';
import { apiCommand } from '../support/startApi.ts';
import { findTestBinary } from '../support/temporal.ts';
import { until } from '../support/until.ts';

const GRACE_MS = 10_000;

export type ReviewStage = Awaited<ReturnType<typeof setReviewStage>>;

/** API, worker and Temporal as processes of their own, of which the latter two can be killed; publisher and operator. */
export async function setReviewStage() {
  const server = await setServer();
  const address = server.address();
  const stage = await setGuardStage({ env: { TEMPORAL_ADDRESS: address } });
  const worker = await setWorker({ ...stage.addresses, env: { TEMPORAL_ADDRESS: address, SANDBOX_TIER: 'quickjs' } });
  const connection = Connection.lazy({ address });
  const { workflow } = new Client({ connection });

  async function close(): Promise<void> {
    await worker.stop();
    await connection.close();
    await stage.close();
    await server.stop();
  }

  return {
    ...stage,
    ...(await setPublishers(stage)),
    /** Kills, as the kernel does; `start` brings back what was killed. */
    victims: { worker, Temporal: server },
    reviewOf: (deploymentId: string) => workflow.getHandle(reviewWorkflowId(deploymentId)),
    close,
  };
}

async function setServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-temporal-'));
  const binary = await findTestBinary();
  const [port, uiPort] = [await freePort(), await freePort()];
  const open = (): Promise<RunningTemporal> => startTemporal({ dataDir, binary, port, uiPort, log: () => {} });
  let running = await open();
  return {
    address: () => running.address,
    start: async () => void (running = await open()),
    kill: async () => {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    stop: async () => {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function setWorker(setting: Parameters<typeof apiCommand>[0]) {
  const { remove, ...command } = await apiCommand(setting);
  const open = async (): Promise<Child> => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const child = await startChild({
      ...command,
      args: ['worker/main.ts'],
      onStdout: log,
      onStderr: log,
      stopSignal: 'SIGTERM',
    });
    await until(() => lines.some((line) => line.includes('"event":"working"')), { patienceMs: 30_000 });
    return child;
  };
  let running = await open();
  return {
    start: async () => void (running = await open()),
    kill: async () => {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    stop: async () => {
      await running.stop(GRACE_MS);
      await remove();
    },
  };
}
