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

// One short transaction each. A review must be neither lost nor stuck because the database is away for long: they are tried until
// they succeed.
const { checkSubmission, createTrial, dropTrial, judgeTrial, moveReview, remindReviewers } =
  proxyActivities<Activities>({
    startToCloseTimeout: '20s',
    retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
  });

type Order<Name extends keyof Activities> = Parameters<Activities[Name]>[0];
type Trial = Order<'createTrial'>;

/** Everything that a review does to the world, with the line that an operator reads beside it. */
export const calls = {
  check: (deploymentId: string) =>
    checkSubmission.executeWithOptions({ summary: 'Read the configuration and its texts' }, [{ deploymentId }]),

  /** Runs a prompt with the submitted version, as a run of its own, and looks at what came of it. */
  async tryOut(trial: Trial) {
    const name = `${trial.kind} ${trial.index + 1}`;
    const create = () => createTrial.executeWithOptions({ summary: `Create the run of ${name}` }, [trial]);
    // Also when the review is decided meanwhile: a run that nobody knows of would hold money.
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
    // A withdrawn submission is not worth its trials.
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
