import { log } from '@temporalio/activity';
import type { EventHead } from '../../db/runs/events/appendEvents.ts';
import { finishRun, type RunEnding, type FinishedRun } from '../../db/runs/finishRun.ts';
import { pauseRun, resumeRun, questionIn } from '../../db/runs/pauseRun.ts';
import { readToolCall } from '../../db/runs/stepRecords.ts';
import type { RunResult } from '../../workflows/contract.ts';
import type { RunDependencies } from '../dependencies.ts';

/** Why a run waits: for more money, or for the answer to a step's question. */
export type PauseOrder = { runId: string; step: number } & (
  { type: 'raise_limit' } | { type: 'text'; modelStep: number }
);

/** The short activities that move a run from one state to the next: one idempotent transaction each. */
export function runTransitions({ db, workflows }: RunDependencies) {
  return {
    async pauseRun(order: PauseOrder): Promise<{ events: EventHead[] }> {
      const { runId, step } = order;
      if (order.type === 'raise_limit') return pauseRun(db, runId, { type: 'raise_limit', step });
      const call = await readToolCall(db.pool, { runId, modelStep: order.modelStep, step });
      return pauseRun(db, runId, { type: 'text', step, question: questionIn(call.arguments) });
    },

    resumeRun: ({ runId, step }: { runId: string; step: number }): Promise<{ events: EventHead[] } | null> =>
      resumeRun(db.pool, { runId, step }),

    finishRun: async ({ runId, ending }: { runId: string; ending: RunEnding }): Promise<RunResult> =>
      afterRunFinished({ workflows }, runId, await finishRun(db, runId, ending)),
  };
}

/** Starts the next run of the session, and returns the run's result for its workflow. */
export async function afterRunFinished(
  { workflows }: Pick<RunDependencies, 'workflows'>,
  runId: string,
  { next, parentRunId, ...books }: FinishedRun,
): Promise<RunResult> {
  // Lets Temporal list the run as cancelled, even when only its row was cancelled.
  if (books.status === 'cancelled') {
    await workflows.cancel(runId).catch((error: unknown) => log.warn('the workflow was not cancelled', { error }));
  }
  // If this fails, the sweep starts it.
  if (next) await workflows.start(next).catch((error: unknown) => log.warn('the next run was not started', { error }));
  // If this fails, the run above looks for it after some time.
  if (parentRunId !== null)
    await workflows.resume(parentRunId).catch((error: unknown) => log.warn('the run above was not told', { error }));
  const { subtotalNanos, networkFeeNanos, totalNanos, absorbedNanos, ...rest } = books;
  return {
    ...rest,
    subtotalNanos: `${subtotalNanos}`,
    networkFeeNanos: `${networkFeeNanos}`,
    totalNanos: `${totalNanos}`,
    absorbedNanos: `${absorbedNanos}`,
  };
}
