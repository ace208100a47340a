import { Client, Connection } from '@temporalio/client';
import { reviewWorkflowId } from '../../../contracts/review.ts';
import { setPublishers } from '../../api/publisher/publisherStage.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { setProcess } from './killStage.ts';

/** API, worker and Temporal as separate processes, of which the latter two can be killed; publisher and operator. */
export async function setReviewStage() {
  const temporal = await startTestTemporal();
  const { address } = temporal;
  const stage = await setGuardStage({ env: { TEMPORAL_ADDRESS: address, SUBMISSIONS_PER_DAY_MAX: '1000' } });
  const setting = { ...stage.addresses, temporalAddress: address, env: { SANDBOX_TIER: 'quickjs' } };
  const worker = await setProcess(() => startWorkerProcess(setting));
  const connection = Connection.lazy({ address });
  const { workflow } = new Client({ connection });

  async function close(): Promise<void> {
    await worker.stop();
    await connection.close();
    await stage.close();
    await temporal.stop();
  }

  return {
    ...stage,
    ...(await setPublishers(stage)),
    /** Kills with SIGKILL; `start` restarts the killed process. */
    victims: { worker, Temporal: { kill: () => temporal.kill(), start: () => temporal.restart() } },
    reviewOf: (deploymentId: string) => workflow.getHandle(reviewWorkflowId(deploymentId)),
    close,
  };
}
