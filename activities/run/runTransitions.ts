import { isDeepStrictEqual } from 'node:util';
import { ApplicationFailure, log } from '@temporalio/activity';
import { findPluginNeeds } from '../../db/plugins/pluginSecrets.ts';
import type { PluginNeed } from '../../db/plugins/plugins.ts';
import type { EventHead } from '../../db/events/appendEvents.ts';
import { finishRun, type RunEnding, type FinishedRun } from '../../db/runs/states/finishRun.ts';
import { readRunRow } from '../../db/runs/childRuns.ts';
import { pauseRun, resumeRun } from '../../db/runs/states/pauseRun.ts';
import { questionIn } from '../../db/runs/waiting/question.ts';
import { readToolCall } from '../../db/runs/steps/stepRecords.ts';
import { supplyRuns } from '../../db/runs/states/supplyRuns.ts';
import type { RunResult } from '../../contracts/run.ts';
import type { RunDependencies } from '../dependencies.ts';
import { hasCaller } from './modelRequest.ts';

/** Why a run waits: for more money, for a plugin's requirement, or for the answer to a step's question. */
export type PauseOrder = { runId: string; step: number } & (
  { type: 'raise_limit' } | { type: 'plugin' } | { type: 'text'; modelStep: number }
);

/** The short activities that move a run from one state to the next: one idempotent transaction each. */
export function runTransitions(dependencies: RunDependencies) {
  const { db, workflows } = dependencies;
  return {
    async pauseRun(order: PauseOrder): Promise<{ events: EventHead[] }> {
      const { runId, step } = order;
      if (order.type === 'raise_limit') return pauseRun(db, runId, { type: 'raise_limit', step });
      if (order.type === 'plugin') return pauseForPlugin(dependencies, { runId, step });
      const call = await readToolCall(db.pool, { runId, modelStep: order.modelStep, step });
      return pauseRun(db, runId, { type: 'text', step, question: questionIn(call.arguments) });
    },

    resumeRun: ({ runId, step }: { runId: string; step: number }): Promise<{ events: EventHead[] } | null> =>
      resumeRun(db.pool, { runId, step }),

    finishRun: async ({ runId, ending }: { runId: string; ending: RunEnding }): Promise<RunResult> =>
      afterRunFinished({ workflows }, runId, await finishRun(db, runId, ending)),
  };
}

/** Asks the caller for the first missing requirement of the run's plugins. Fails a run without a caller who can answer. */
async function pauseForPlugin(
  { db, consoleUrl }: RunDependencies,
  { runId, step }: { runId: string; step: number },
): Promise<{ events: EventHead[] }> {
  const run = (await readRunRow(db.pool, runId))!;
  const { workspace_id: workspaceId, version_id: id } = run;
  const { configuration } = await db.everywhere.statement(({ em, AgentVersion }) =>
    em.findOneOrFail(AgentVersion, { id }),
  );
  const findNeeds = () => findPluginNeeds(db.everywhere, workspaceId, configuration.plugins);
  const [need] = await findNeeds();
  if (!need) return { events: [] };
  if (!hasCaller(run)) throw ApplicationFailure.nonRetryable('A plugin lacks what its caller gives.', 'plugin');
  const paused = await pauseRun(db, runId, { type: 'plugin', step, need: presentNeed(need, consoleUrl) });
  // A request supplied it before this run waited.
  const isNeeded = (await findNeeds()).some((one) => isDeepStrictEqual(one, need));
  if (!isNeeded) await supplyRuns(db, { workspaceId, ...need, ...(need.secret && { secrets: [need.secret] }) });
  return paused;
}

function presentNeed(need: PluginNeed, consoleUrl = '') {
  const { plugin, secret } = need;
  const url = `${consoleUrl}/plugins?plugin=${plugin}`;
  const message = secret
    ? `The plugin ${plugin} needs your secret ${secret}. Set it with PUT /v1/plugins/${plugin}/secrets, or in the console.`
    : `The plugin ${plugin} needs you to sign in: ${url}`;
  return { ...need, message, url };
}

/** Starts the next run of the session and of the lanes, and returns the run's result for its workflow. */
export async function afterRunFinished(
  { workflows }: Pick<RunDependencies, 'workflows'>,
  runId: string,
  { next, leavesLanesOf, parentRunId, isScheduled, ...books }: FinishedRun,
): Promise<RunResult> {
  // Marks the run as cancelled in Temporal's list, even if only its row was cancelled.
  if (books.status === 'cancelled') {
    await workflows.cancel(runId).catch((error: unknown) => log.warn('the workflow was not cancelled', { error }));
  }
  // If this fails, the sweep starts it.
  if (next) await workflows.start(next).catch((error: unknown) => log.warn('the next run was not started', { error }));
  if (leavesLanesOf !== null)
    await workflows
      .turn({ workspaceId: leavesLanesOf, runId })
      .catch((error: unknown) => log.warn('the next runs of the lanes were not started', { error }));
  // If this fails, the parent run polls for it after some time.
  if (parentRunId !== null)
    await workflows
      .resume(parentRunId, runId)
      .catch((error: unknown) => log.warn('the run above was not told', { error }));
  // If this fails, the firing looks for it after some time.
  if (isScheduled)
    await workflows.tellFiring(runId).catch((error: unknown) => log.warn('the firing was not told', { error }));
  const { subtotalNanos, networkFeeNanos, totalNanos, absorbedNanos, ...rest } = books;
  return {
    ...rest,
    subtotalNanos: `${subtotalNanos}`,
    networkFeeNanos: `${networkFeeNanos}`,
    totalNanos: `${totalNanos}`,
    absorbedNanos: `${absorbedNanos}`,
  };
}
