import type { EventHead } from '../../db/runs/events/appendEvents.ts';
import { finishRun, type RunEnding } from '../../db/runs/finishRun.ts';
import { pauseRun, resumeRun, questionIn } from '../../db/runs/pauseRun.ts';
import { readToolCall } from '../../db/runs/stepRecords.ts';
import type { RunResult } from '../../workflows/contract.ts';
import type { RunDependencies } from './dependencies.ts';
import { afterRunFinished } from './afterRunFinished.ts';

/** Why a run waits: for more money, or for the answer to a step's question. */
export type PauseOrder = { runId: string; step: number } & (
  { type: 'raise_limit' } | { type: 'text'; modelStep: number }
);

/** The short activities that move a run from one state to the next: one transaction each, idempotent. */
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
