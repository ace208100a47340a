import { log } from '@temporalio/activity';
import type { FinishedRun } from '../../db/runs/finishRun.ts';
import type { RunResult } from '../../workflows/contract.ts';
import type { RunDependencies } from './dependencies.ts';

/** What a workflow is told of its run's end. The run of its session that may start now is started. */
export async function afterRunFinished(
  { workflows }: Pick<RunDependencies, 'workflows'>,
  runId: string,
  { next, ...books }: FinishedRun,
): Promise<RunResult> {
  // So that Temporal shows the run as cancelled, also when it was cancelled in its row alone.
  if (books.status === 'cancelled') {
    await workflows.cancel(runId).catch((error: unknown) => log.warn('the workflow was not cancelled', { error }));
  }
  // The sweep starts it when this does not.
  if (next) await workflows.start(next).catch((error: unknown) => log.warn('the next run was not started', { error }));
  const { subtotalNanos, networkFeeNanos, totalNanos, absorbedNanos, ...rest } = books;
  return {
    ...rest,
    subtotalNanos: `${subtotalNanos}`,
    networkFeeNanos: `${networkFeeNanos}`,
    totalNanos: `${totalNanos}`,
    absorbedNanos: `${absorbedNanos}`,
  };
}
