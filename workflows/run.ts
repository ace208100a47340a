import {
  ApplicationFailure,
  CancellationScope,
  condition,
  patched,
  setHandler,
  sleep,
  defineQuery,
  defineSignal,
  log,
  rootCause,
  setCurrentDetails,
  setWorkflowOptions,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunEnding } from '../activities/index.ts';
import { MODEL_STEPS } from '../base/limits.ts';
import { type RunInput, type RunResult, type RunState, RESUME_RUN_SIGNAL, RUN_STATE_QUERY } from '../contracts/run.ts';
import { RUN_SEARCH_ATTRIBUTES } from '../contracts/start.ts';
import { calls } from './run/calls.ts';
import { aboutContinued, beginNewHistory } from './run/continuation.ts';
import type { Job, OperatorView, Told } from './run/job.ts';
import { runEndingOf } from './run/runEnding.ts';
import { useTools } from './run/useTools.ts';
import { waitForCaller } from './run/waiting.ts';

/** The caller has answered: the answer is stored in the run's row. With a run's id: that run, which this one has started, has ended. */
const resumeRun = defineSignal<[childId?: string]>(RESUME_RUN_SIGNAL);

const runState = defineQuery<RunState>(RUN_STATE_QUERY);

/**
 * One run of an agent: calls the model and uses tools until the work is done. The first step takes it out of the queue, and the model's
 * last step settles and finishes it; the last call here writes any other ending (cancelled or failed, for example). Content stays in the
 * database; the history has numbers, names and times, and continues as new before it becomes long.
 */
export async function run({ runId, waitMs, next }: RunInput): Promise<RunResult> {
  const doing = next ? 'Continues.' : 'Waits in the queue.';
  const state: RunState = { doing, step: next?.step ?? 0, modelSteps: next?.modelSteps ?? 0 };
  const view = createOperatorView(state);
  const answers: Told = { received: next?.received ?? 0, ended: new Set() };
  setHandler(resumeRun, (childId) => void (childId ? answers.ended.add(childId) : (answers.received += 1)));
  setHandler(runState, () => state);
  const { deadlineMs, modelStepsMax = MODEL_STEPS } = next ?? {};
  const job: Job = { runId, state, view, answers, modelStepsMax, deadlineMs };
  const end = await work(job, waitMs).catch((error: unknown) => endingAfter(error, job));
  const result = isWritten(end) ? end : await settle(runId, view, end);
  view.ended(result);
  return endLikeRun(result);
}

// In a rolling deploy a run stays with the version of the worker that began it. Temporal refuses the word from workers without a version.
setWorkflowOptions(
  () => (workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {}),
  run,
);

// The workflow's cancellation arrives a moment after the row's.
const CANCELLATION_WAIT_MS = 10_000;

/** Ends the workflow with the run's status, so that Temporal's list shows failed and cancelled runs as such. */
async function endLikeRun(result: RunResult): Promise<RunResult> {
  const { status, code = status } = result;
  if (status === 'completed' || status === 'limit_reached' || !patched('endsAsItsRun')) return result;
  // Throws when the workflow is or was cancelled.
  if (status === 'cancelled') await sleep(CANCELLATION_WAIT_MS);
  throw ApplicationFailure.create({ message: `The run ended: ${code}.`, type: code, nonRetryable: true });
}

/** The ending of a run whose work threw. Operators find the reason of a fault of the platform in the log, which keeps no content. */
function endingAfter(error: unknown, { runId, deadlineMs }: Job): RunEnding {
  const ending = runEndingOf(error, deadlineMs);
  if (ending.status === 'failed' && ending.fault === 'platform')
    log.error('a run fails by a fault of the platform', { event: 'run_failed', runId, reason: rootCause(error) });
  return ending;
}

/** How a run ends: a `RunEnding` is not stored yet, a `RunResult` is. */
type End = RunEnding | RunResult;

const isWritten = (end: End): end is RunResult => 'events' in end;

function settle(runId: string, view: OperatorView, ending: RunEnding): Promise<RunResult> {
  view.show('Is being settled.');
  return CancellationScope.nonCancellable(() => calls.finish(runId, ending));
}

async function work(job: Job, waitMs: number | undefined): Promise<End> {
  // A moved clock wakes it.
  if (waitMs !== undefined) await condition(() => job.answers.received > 0, waitMs);
  const { runId, state, answers } = job;
  while (state.modelSteps < job.modelStepsMax) {
    const { step, modelSteps } = state;
    const { modelStepsMax, deadlineMs } = job;
    await beginNewHistory(runId, { step, modelSteps, modelStepsMax, deadlineMs, received: answers.received });
    const end = await runTurn(job);
    if (end) return end;
  }
  return {
    status: 'limit_reached',
    limit: 'steps',
    ...(job.modelStepsMax > MODEL_STEPS && { steps: job.modelStepsMax }),
  };
}

/** One call of the model and the tools it requests, with the short turns that follow it. Returns how the run ends, if it does. */
async function runTurn(job: Job): Promise<End | undefined> {
  const { runId, state, view, deadlineMs, modelStepsMax } = job;
  const asked = state.step + 1;
  view.show('Asks the model.');
  const reply = await calls.callModel(runId, asked, { deadlineMs, modelSteps: state.modelSteps, modelStepsMax });
  const { reused } = reply;
  const modelStep = reused?.modelStep ?? asked;
  if (reply.next === 'plugin') {
    job.deadlineMs = reply.deadlineMs;
    // The model has not been asked: its step is repeated.
    if (reused) {
      state.modelSteps += reused.modelSteps - 1;
      state.step = modelStep - 1;
    }
    return waitForCaller(job, { runId, type: 'plugin', step: modelStep });
  }
  job.modelStepsMax = reply.modelStepsMax ?? job.modelStepsMax;
  state.modelSteps += reused?.modelSteps ?? 1;
  state.step = reused?.lastStep ?? modelStep;
  if (reply.next === 'end') return reply.result;
  job.deadlineMs = reply.deadlineMs;
  if (reply.next === 'continue') return undefined;
  if (reply.next === 'raise_limit') return waitForCaller(job, { runId, type: 'raise_limit', step: modelStep });
  if (!reused) state.step += reply.toolCalls.length;
  return useTools(job, modelStep, reply.toolCalls);
}

/** What operators see of a run: search attributes for lists, and one page of text. */
function createOperatorView(state: RunState): OperatorView {
  const about = aboutContinued();
  const children: string[] = [];

  function show(doing: string): void {
    state.doing = doing;
    const steps = `Step ${state.step}, ${state.modelSteps} calls of the model so far.`;
    setCurrentDetails(`${doing}\n\n${steps}${about}${linksTo(children)}`);
  }

  return {
    show,
    called: (childId) => {
      if (children.includes(childId)) return;
      children.push(childId);
      show(state.doing);
    },
    status: (status: string, doing: string): void => {
      show(doing);
      upsertSearchAttributes({ [RUN_SEARCH_ATTRIBUTES.status]: [status] });
    },
    ended: ({ status, totalNanos, code, fault }: RunResult): void => {
      show(`Ended: ${status}.`);
      upsertSearchAttributes({
        [RUN_SEARCH_ATTRIBUTES.status]: [status],
        [RUN_SEARCH_ATTRIBUTES.costUsd]: [Number(totalNanos) / 1e9],
        // Workers of before register no attribute of these names: the run that one of them began has no fault in its result.
        ...(fault !== undefined && { [RUN_SEARCH_ATTRIBUTES.fault]: [fault] }),
        ...(fault !== undefined && code !== undefined && { [RUN_SEARCH_ATTRIBUTES.errorCode]: [code] }),
      });
    },
  };
}

const CHILDREN_SHOWN = 20;

/** Links to the workflows of called agents, the newest ones; all are found by the search attribute of their parent. */
function linksTo(children: string[]): string {
  if (children.length === 0) return '';
  const place = `/namespaces/${workflowInfo().namespace}/workflows`;
  const links = children.slice(-CHILDREN_SHOWN).map((id) => `[${id}](${place}/${id})`);
  return `\n\nCalled agents: ${links.join(', ')}.`;
}
