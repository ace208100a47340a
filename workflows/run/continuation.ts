import { allHandlersFinished, CancellationScope, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RunInput, RunPlace, RunResult } from '../../contracts/run.ts';
import { RUN_SEARCH_ATTRIBUTES } from '../../contracts/start.ts';

// A turn adds a hundred events, and one that waits a day for twenty agents a thousand: no history has 2,000.
const HISTORY_EVENTS_MAX = 800;

/**
 * Begins a new history between two turns when this one has become long: the workflow keeps its id and continues at `place`. A cancelled
 * run does not, because Temporal does not pass a cancellation on.
 */
export async function beginNewHistory(runId: string, place: RunPlace): Promise<void> {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  if (!continueAsNewSuggested && historyLength <= HISTORY_EVENTS_MAX) return;
  await condition(allHandlersFinished);
  if (CancellationScope.current().consideredCancelled) return;
  await continueAsNew<(input: RunInput) => Promise<RunResult>>({ runId, next: place });
}

/** What operators read of a run that goes on in a new history: Temporal does not pass on what is written beside a workflow's start. */
export function aboutContinued(): string {
  const { searchAttributes: attributes, continuedFromExecutionRunId: before } = workflowInfo();
  if (before === undefined) return '';
  const [[agent], [version]] = [RUN_SEARCH_ATTRIBUTES.agent, RUN_SEARCH_ATTRIBUTES.version].map(
    (name) => attributes[name] ?? [],
  ) as [unknown[], unknown[]];
  return `\n\n${String(agent)} (${String(version)}). Its earlier steps are in the histories before this one.`;
}
