import { keyword, linkTo, RUN_SEARCH_ATTRIBUTES, shareOf, TASK_QUEUE } from './start.ts';

/** The workflow of one run. Its workflow id is the run's id; cancelling the workflow cancels the run. */
export const RUN_WORKFLOW = 'run';

/**
 * Other data is read by the run's id, so that input and output stay out of the history. `waitMs`: the wait of a run whose clock may be
 * moved, because no signal ends a start delay of Temporal. `next`: where a run with a long history goes on in a new one.
 */
export type RunInput = { runId: string; waitMs?: number; next?: RunPlace };

/** Where a run is between two turns: its last step, its calls of the model and their maximum, its deadline, and its answers so far. */
export type RunPlace = {
  step: number;
  modelSteps: number;
  modelStepsMax: number;
  deadlineMs: number | undefined;
  received: number;
};

/** The answer to a run's required action is in its row; this signal makes the workflow read it. */
export const RESUME_RUN_SIGNAL = 'resumeRun';

/** The live state of a run, as its workflow sees it. */
export const RUN_STATE_QUERY = 'runState';

/** The query's result while a run is in progress. */
export type RunState = { doing: string; step: number; modelSteps: number };

/** Tools that run code have a separate queue: a worker whose sandbox failed its tests does not poll it. */
export const TOOL_TASK_QUEUE = 'ledgerline-tools';

/** An event of a run as stored in the history: without its content. `at` is ISO 8601; `facts` are the values that rows do not repeat. */
export type EventHead = { type: string; sequence: number; at: string; facts?: object };

/** The result of a run. Costs are nano-USD, as decimal text. */
export type RunResult = {
  status: 'completed' | 'limit_reached' | 'cancelled' | 'failed';
  /** Thousandths of units by meter. */
  meters: Record<string, number>;
  subtotalNanos: string;
  networkFeeNanos: string;
  totalNanos: string;
  absorbedNanos: string;
  /** Why it failed, and whose fault that is. */
  code?: string;
  fault?: string;
  events: EventHead[];
};

/** Which of a run's tasks a worker gets first, where the server knows priorities. The activities of the workflow inherit it. */
function queuePriorityOf({ workspace_id: workspaceId, priority = 0 }: { workspace_id: string; priority?: number }) {
  const priorityKey = priority >= 300 ? 1 : priority > 0 ? 2 : priority === 0 ? 3 : priority > -300 ? 4 : 5;
  return { priorityKey, ...shareOf(workspaceId) };
}

/** Options that start a run's workflow, always the same: a second start finds the first. */
export function runStartOf(
  run: {
    id: string;
    workspace_id: string;
    session_id: string;
    agent: string;
    version: string;
    status: string;
    timeout_seconds: number;
    priority?: number;
    parent_run_id?: string | null;
  },
  {
    keyPrefix,
    scheduleId,
    delayMs,
    hasOwnClock,
    consoleUrl,
  }: { keyPrefix: string; scheduleId?: string | null; delayMs: number; hasOwnClock?: boolean; consoleUrl?: string },
) {
  const isDelayed = delayMs > 0;
  const input: RunInput = { runId: run.id, ...(isDelayed && hasOwnClock && { waitMs: delayMs }) };
  return {
    workflowId: run.id,
    taskQueue: TASK_QUEUE,
    args: [input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    ...(isDelayed && !hasOwnClock && { startDelay: delayMs }),
    priority: queuePriorityOf(run),
    staticSummary: `${run.agent} (${run.version})`,
    staticDetails: `Session ${run.session_id}, at most ${run.timeout_seconds} s of work.${linkTo(consoleUrl, `/runs/${run.id}`)}`,
    typedSearchAttributes: [
      keyword(RUN_SEARCH_ATTRIBUTES.workspace, run.workspace_id),
      keyword(RUN_SEARCH_ATTRIBUTES.agent, run.agent),
      keyword(RUN_SEARCH_ATTRIBUTES.version, run.version),
      // A run without a delay begins at once: setting it here saves each workflow an update of its attributes.
      keyword(RUN_SEARCH_ATTRIBUTES.status, isDelayed ? run.status : 'in_progress'),
      keyword(RUN_SEARCH_ATTRIBUTES.keyPrefix, keyPrefix),
      ...(run.parent_run_id ? [keyword(RUN_SEARCH_ATTRIBUTES.parent, run.parent_run_id)] : []),
      ...(scheduleId ? [keyword(RUN_SEARCH_ATTRIBUTES.schedule, scheduleId)] : []),
    ],
  };
}
