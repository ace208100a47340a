import { log } from '@temporalio/activity';
import { beginRun, type RunPlan } from '../../db/runs/beginRun.ts';
import type { EventHead } from '../../db/runs/appendEvents.ts';
import { finishRun, type RunEnding } from '../../db/runs/finishRun.ts';
import { pauseRun, resumeRun } from '../../db/runs/pauseRun.ts';
import { readToolCall } from '../../db/runs/readToolCall.ts';
import type { RunResult } from '../../workflows/contract.ts';
import { questionIn } from './askUser.ts';
import type { RunDependencies } from './dependencies.ts';

/** Why a run waits: for more money, or for the answer to the question of a step. */
export type PauseOrder = { runId: string; step: number } & (
  { type: 'raise_limit' } | { type: 'text'; modelStep: number }
);

/** The short activities that move a run from one state to the next: each one transaction, each may be repeated. */
export function createRunMoves({ db, workflows }: RunDependencies) {
  return {
    beginRun: ({ runId }: { runId: string }): Promise<RunPlan> => beginRun(db.pool, runId),

    async pauseRun(order: PauseOrder): Promise<{ events: EventHead[] }> {
      const { runId, step } = order;
      if (order.type === 'raise_limit') return pauseRun(db.pool, runId, { type: 'raise_limit', step });
      const call = await readToolCall(db.pool, { runId, modelStep: order.modelStep, step });
      return pauseRun(db.pool, runId, { type: 'text', step, question: questionIn(call.arguments) });
    },

    resumeRun: ({ runId, step }: { runId: string; step: number }): Promise<{ events: EventHead[] } | null> =>
      resumeRun(db.pool, { runId, step }),

    async finishRun({ runId, ending }: { runId: string; ending: RunEnding }): Promise<RunResult> {
      const { next, ...books } = await finishRun(db, runId, ending);
      // The sweep starts it when this does not.
      if (next)
        await workflows.start(next).catch((error: unknown) => log.warn('the next run was not started', { error }));
      const { subtotalNanos, networkFeeNanos, totalNanos, absorbedNanos, ...rest } = books;
      return {
        ...rest,
        subtotalNanos: `${subtotalNanos}`,
        networkFeeNanos: `${networkFeeNanos}`,
        totalNanos: `${totalNanos}`,
        absorbedNanos: `${absorbedNanos}`,
      };
    },
  };
}
