import {
  CancellationScope,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { RUN_WORKFLOW } from '../contract.ts';
import type { run } from '../run.ts';

// One short transaction each. A database outage must neither lose a review nor leave it stuck: they are retried until they succeed.
const { checkSubmission, createTrial, dropTrial, judgeTrial, moveReview, remindReviewers } =
  proxyActivities<Activities>({
    startToCloseTimeout: '20s',
    retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
  });

type Order<Name extends keyof Activities> = Parameters<Activities[Name]>[0];
type Trial = Order<'createTrial'>;

/** The activities of a review, with the summary that operators read. */
export const calls = {
  check: (deploymentId: string) =>
    checkSubmission.executeWithOptions({ summary: 'Read the configuration and its texts' }, [{ deploymentId }]),

  /** Runs a prompt with the submitted version, as a run of its own, and judges its result. */
  async tryOut(trial: Trial) {
    const name = `${trial.kind} ${trial.index + 1}`;
    const create = () => createTrial.executeWithOptions({ summary: `Create the run of ${name}` }, [trial]);
    // Also after the review was decided: a forgotten run would hold money.
    const runId = await CancellationScope.nonCancellable(create);
    if (runId !== null) await runOrDrop(runId, name);
    return judgeTrial.executeWithOptions({ summary: `Judge ${name}` }, [{ ...trial, runId }]);
  },

  move: (order: Order<'moveReview'>) =>
    moveReview.executeWithOptions({ summary: `Move the deployment: ${order.move}` }, [order]),

  remind: (order: Order<'remindReviewers'>) =>
    remindReviewers.executeWithOptions({ summary: `Tell operators that it waits: ${order.level}` }, [order]),
};

async function runOrDrop(runId: string, name: string): Promise<void> {
  await runTrial(runId, name).catch(async (error: unknown) => {
    if (isCancellation(error)) await drop(runId, name);
    throw error;
  });
}

async function runTrial(runId: string, name: string): Promise<void> {
  const ended = executeChild<typeof run>(RUN_WORKFLOW, {
    workflowId: runId,
    args: [{ runId }],
    staticSummary: `Trial: ${name}`,
    // Trials of a withdrawn submission are stopped.
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
  });
  // A run that failed or was cancelled is judged by its row.
  const scope = CancellationScope.current();
  await ended.catch((error: unknown) => {
    if (scope.consideredCancelled || !(error instanceof ChildWorkflowFailure)) throw error;
  });
}

function drop(runId: string, name: string): Promise<void> {
  const end = () => dropTrial.executeWithOptions({ summary: `End the run of ${name}` }, [{ runId }]);
  return CancellationScope.nonCancellable(end);
}
