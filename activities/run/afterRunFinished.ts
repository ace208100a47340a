import { log } from '@temporalio/activity';
import type { FinishedRun } from '../../db/runs/finishRun.ts';
import type { RunResult } from '../../workflows/contract.ts';
import type { RunDependencies } from './dependencies.ts';

/** Starts the next run of the session, and returns the run's result for its workflow. */
export async function afterRunFinished(
  { workflows }: Pick<RunDependencies, 'workflows'>,
  runId: string,
  { next, ...books }: FinishedRun,
): Promise<RunResult> {
  // Temporal then shows the run as cancelled, even when only its row was cancelled.
  if (books.status === 'cancelled') {
    await workflows.cancel(runId).catch((error: unknown) => log.warn('the workflow was not cancelled', { error }));
  }
  // If this fails, the sweep starts it.
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
