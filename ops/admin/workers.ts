import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { WORKER_DEPLOYMENT } from '../../contracts/start.ts';
import { type AdminCommand, tableOf } from './command.ts';
import { withTemporal } from './temporal.ts';

// gRPC codes.
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;

const QUEUES_WAIT_MS = 30_000;
const QUEUES_POLL_MS = 250;

export const listWorkersCommand: AdminCommand = {
  words: 'workers list',
  summary: 'Lists the versions of workers that Temporal knows (WORKER_BUILD_ID), and which one begins new work.',
  async run({ config }) {
    const versions = await withTemporal(config.temporal, readVersions);
    const cells = versions.map(({ build_id, is_current, drainage }) => [build_id, is_current ? 'current' : drainage]);
    return { text: tableOf([['BUILD ID', 'STATE'], ...cells]), json: versions };
  },
};

export const promoteWorkersCommand: AdminCommand = {
  words: 'workers promote',
  summary: 'Lets a version of workers begin all new work. With an earlier version it is a rollback.',
  arguments: '<build-id>',
  async run({ config }, _options, names) {
    const buildId = names[0]!;
    await withTemporal(config.temporal, (client) => promote(client, buildId));
    return {
      text: `${buildId} begins new work now. Open runs end with the version that began them.`,
      json: { buildId },
    };
  },
};

export const guardWorkersCommand: AdminCommand = {
  words: 'workers guard',
  summary: 'Fails if a version other than these begins new work or has open runs: before its workers are taken away.',
  arguments: '<build-ids...>',
  async run({ config }, _options, names) {
    const versions = await withTemporal(config.temporal, readVersionsIfAny);
    const needed = versions.filter((version) => isNeeded(version) && !names.includes(version.build_id));
    const sentences = needed.map(({ build_id: id, is_current: isCurrent }) =>
      isCurrent
        ? `${id} begins new work: keep its workers until another version was promoted and its runs have ended.`
        : `${id} has open runs: keep its workers until \`workers list\` says that it is drained.`,
    );
    const text = sentences.join('\n') || 'No other version is needed.';
    return { text, json: needed, hasFailed: needed.length > 0 };
  },
};

type WorkerVersion = Awaited<ReturnType<typeof readVersions>>[number];

const isNeeded = ({ is_current: isCurrent, drainage }: WorkerVersion): boolean =>
  isCurrent || drainage === DRAINAGE[DRAINING];

/** None before the first worker with a version. */
async function readVersionsIfAny(client: Client): Promise<WorkerVersion[]> {
  return readVersions(client).catch((error: Error) => {
    if ((error.cause as { code?: unknown } | undefined)?.code === NOT_FOUND) return [];
    throw error;
  });
}

/** Waits for the version's workers: Temporal refuses it until they poll each queue of the previous version. */
async function promote(client: Client, buildId: string): Promise<void> {
  const { namespace } = client.options;
  const request = { namespace, deploymentName: WORKER_DEPLOYMENT, buildId, identity: 'ledgerline admin' };
  for (const deadline = Date.now() + QUEUES_WAIT_MS; ; await sleep(QUEUES_POLL_MS)) {
    try {
      await client.workflowService.setWorkerDeploymentCurrentVersion(request);
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== FAILED_PRECONDITION)
        explained(`a worker of ${buildId}`)(error as Error);
      if (Date.now() > deadline) throw unpolled(buildId, error as Error);
    }
  }
}

const unpolled = (buildId: string, { message }: Error) =>
  new Error(
    `Temporal lets ${buildId} begin no work: start its workers with WORKER_BUILD_ID=${buildId}, until they take from every queue (${message}).`,
  );

async function readVersions(client: Client) {
  const { namespace } = client.options;
  const { workerDeploymentInfo: info } = await client.workflowService
    .describeWorkerDeployment({ namespace, deploymentName: WORKER_DEPLOYMENT })
    .catch(explained('a worker with a WORKER_BUILD_ID'));
  const currentId = info?.routingConfig?.currentDeploymentVersion?.buildId;
  return (info?.versionSummaries ?? []).map(({ deploymentVersion, drainageStatus }) => ({
    build_id: deploymentVersion?.buildId ?? '',
    is_current: deploymentVersion?.buildId === currentId,
    drainage: DRAINAGE[drainageStatus ?? 0] ?? 'unknown',
  }));
}

// Temporal's VersionDrainageStatus, by number.
const DRAINING = 1;
const DRAINAGE: Record<number, string> = { 0: 'ready', [DRAINING]: 'has open runs', 2: 'drained: its workers may end' };

const explained =
  (missing: string) =>
  (error: Error & { code?: unknown }): never => {
    if (error.code !== NOT_FOUND) throw error;
    throw new Error(`Temporal has not seen ${missing} yet.`, { cause: error });
  };
