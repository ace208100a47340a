import type { Client } from '@temporalio/client';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { WORKER_DEPLOYMENT } from '../contracts/start.ts';

/**
 * How workers of different versions share the work. A run stays with the version that started it (see `workflows/run.ts`), so other code
 * never replays its history; long workflows guarded by `patched` move to the current version.
 */
export const deploymentOptionsOf = (buildId: string): WorkerDeploymentOptions => ({
  useWorkerVersioning: true,
  version: { deploymentName: WORKER_DEPLOYMENT, buildId },
  defaultVersioningBehavior: 'AUTO_UPGRADE',
});

/** Warns when new workflows go to another version, until an operator makes this one current. */
export async function warnUnlessCurrent(client: Client, buildId: string, logger: Logger): Promise<void> {
  const { namespace } = client.options;
  const answer = await client.workflowService
    .describeWorkerDeployment({ namespace, deploymentName: WORKER_DEPLOYMENT })
    // Temporal knows a deployment once its first worker has polled.
    .catch(() => undefined);
  const currentBuildId = answer?.workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
  if (currentBuildId === buildId) return;
  const advice = `new work goes to another version until: npm run admin -- workers promote ${buildId}`;
  logger.warn({ event: 'not_current', buildId, currentBuildId }, advice);
}
