import type { Client } from '@temporalio/client';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { WORKER_DEPLOYMENT } from '../workflows/contracts/start.ts';

/**
 * How workers of different versions share the work. A run stays with the version that began it (`workflows/run.ts` says so), so its history
 * is never replayed by other code; long workflows that are guarded by `patched` move to the current version.
 */
export const deploymentOptionsOf = (buildId: string): WorkerDeploymentOptions => ({
  useWorkerVersioning: true,
  version: { deploymentName: WORKER_DEPLOYMENT, buildId },
  defaultVersioningBehavior: 'AUTO_UPGRADE',
});

/** Logs when new workflows go to another version, which is so until an operator makes this one current. */
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
