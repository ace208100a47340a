import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineUpdate,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
  ChildWorkflowFailure,
  executeChild,
  ParentClosePolicy,
  patched,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import {
  DECIDE_REVIEW_UPDATE,
  type ReviewDecision,
  type ReviewDecisionResult,
  type ReviewInput,
  type ReviewResult,
} from '../contracts/review.ts';
import { RUN_WORKFLOW } from '../contracts/run.ts';
import { RUN_SEARCH_ATTRIBUTES } from '../contracts/start.ts';
import { testDecisionOf, type TestReview } from '../contracts/test.ts';
import { HOUR_MS, REVIEW_WAITS } from './review/waits.ts';
import type { run } from './run.ts';
import { workspaceOf } from './workspaceOf.ts';

const decideReview = defineUpdate<ReviewDecisionResult, [ReviewDecision]>(DECIDE_REVIEW_UPDATE);

/**
 * The review of one submission: automatic checks, then a decision by an operator, unless blocking findings reject it at once or the
 * publisher withdraws it. A decision may arrive at any time; the first one counts, because a deployment is decided once. In a test
 * workspace, the submission's requested outcome replaces the operator's decision.
 */
export function review(input: ReviewInput): Promise<ReviewResult> {
  // Only a decision ends a review: after a cancelled review the agent could be neither decided nor submitted again.
  return CancellationScope.nonCancellable(() => reviewToItsEnd(input));
}

async function reviewToItsEnd({
  deploymentId,
  isPublished = false,
  isRollingOut = false,
}: ReviewInput): Promise<ReviewResult> {
  const state: State = { deploymentId, status: undefined, isPublished, findings: 0, costUsd: 0, moves: 0 };
  setHandler(decideReview, async (decision) => {
    const moved = await CancellationScope.nonCancellable(() => calls.move({ deploymentId, ...decision }));
    if ('status' in moved) state.status = moved.status;
    state.moves += 1;
    return moved;
  });
  if (!isRollingOut) await checkUnlessDecided(state);
  if (isPublished || isRollingOut) state.status ??= 'active';
  if (state.status === undefined && state.findings > 0) await sendBack(state);
  if (state.status === undefined && state.testReview !== undefined) await decideByRule(state, state.testReview);
  if (state.status === undefined) await waitForDecision(state);
  if (state.status === 'active' && patched('rollouts')) await rollOut(state);
  await condition(allHandlersFinished);
  setCurrentDetails(`Ended: ${state.status}.`);
  // Search attributes by which operators filter reviews.
  upsertSearchAttributes({
    [RUN_SEARCH_ATTRIBUTES.status]: [state.status!],
    [RUN_SEARCH_ATTRIBUTES.costUsd]: [state.costUsd],
  });
  return { status: state.status!, findings: state.findings, costUsd: state.costUsd };
}

interface State {
  deploymentId: string;
  /** The deployment's state, once it is decided. */
  status: string | undefined;
  /** It needs no decision: only its examples are tried. */
  isPublished: boolean;
  /** Number of blocking findings. */
  findings: number;
  costUsd: number;
  /** Its outcome in a test workspace, unless findings reject it. */
  testReview?: TestReview | undefined;
  /** The automatic checks could not be finished. */
  isBroken?: boolean;
  /** Number of received decisions. Each makes a rollout check again. */
  moves: number;
}

async function checkUnlessDecided(state: State): Promise<void> {
  const scope = new CancellationScope();
  const checking = scope.run(() => check(state)).catch((error: unknown) => tellBroken(state, error));
  await Promise.race([checking, condition(() => state.status !== undefined)]);
  if (state.status !== undefined) scope.cancel();
  await checking;
}

async function check(state: State): Promise<void> {
  const { deploymentId } = state;
  setCurrentDetails('Automatic checks: reads the configuration.');
  const { blocking, examples, probes, testReview } = await calls.check(deploymentId);
  state.testReview = testReview;
  state.findings += blocking;
  // An incomplete configuration gets no trials.
  if (blocking > 0) return;
  for (let index = 0; index < examples; index += 1) await tryOut(state, { deploymentId, kind: 'example', index });
  if (state.isPublished) return;
  for (let index = 0; index < probes; index += 1) await tryOut(state, { deploymentId, kind: 'probe', index });
  // After the probes, which decide about the submission and so are paid first.
  if (!patched('comparisons')) return;
  for (let index = 0; index < examples; index += 1) await compare(state, { deploymentId, kind: 'live', index });
}

async function tryOut(state: State, trial: Parameters<typeof calls.tryOut>[0]): Promise<void> {
  setCurrentDetails(`Automatic checks: ${trial.kind} ${trial.index + 1}. Cost so far: ${state.costUsd} USD.`);
  const { blocking, costUsd } = await calls.tryOut(trial);
  state.findings += blocking;
  state.costUsd += costUsd;
}

/** Runs an example prompt with the public version, to show both answers side by side. */
async function compare(state: State, trial: Trial): Promise<void> {
  setCurrentDetails(`Automatic checks: the public version with example ${trial.index + 1}.`);
  state.costUsd += await calls.compare(trial);
}

// A failed check must not block an operator's decision. Without the findings it would look like a passed one.
async function tellBroken(state: State, error: unknown): Promise<void> {
  if (isCancellation(error)) return;
  setCurrentDetails(`The automatic checks failed: ${String(error)}`);
  state.isBroken = true;
  if (patched('tellsBrokenChecks')) await calls.tellBroken(state.deploymentId).catch(() => {});
}

async function sendBack(state: State): Promise<void> {
  const { deploymentId } = state;
  const moved = await calls.move({ deploymentId, move: 'request_changes', feedback: [], by: 'review' });
  if ('status' in moved) state.status = moved.status;
}

/** Ends the review of a test workspace with its requested outcome, or waits for the workspace to choose one. */
async function decideByRule(state: State, testReview: TestReview): Promise<void> {
  if (testReview === 'wait') {
    setCurrentDetails('Waits for the outcome that the test workspace chooses.');
    return condition(() => state.status !== undefined);
  }
  const moved = await calls.move({ deploymentId: state.deploymentId, ...testDecisionOf(testReview), by: 'review' });
  if ('status' in moved) state.status = moved.status;
}

async function waitForDecision(state: State): Promise<void> {
  const { deploymentId } = state;
  const { reminderMs, escalationMs } = REVIEW_WAITS;
  const isDecided = () => state.status !== undefined;
  const broken = state.isBroken ? ' The automatic checks failed.' : '';
  setCurrentDetails(`Waits for an operator. The trials cost ${state.costUsd} USD.${broken}`);
  if (await condition(isDecided, reminderMs)) return;
  await calls.remind({ deploymentId, level: 'reminder' });
  setCurrentDetails(`Waits for an operator for more than ${reminderMs / HOUR_MS} hours.`);
  if (await condition(isDecided, escalationMs - reminderMs)) return;
  await calls.remind({ deploymentId, level: 'escalation' });
  setCurrentDetails(`ESCALATED: waits for an operator for more than ${escalationMs / HOUR_MS} hours.`);
  await condition(isDecided);
}

/** Continues while the approved version waits for its notice period, or is rolled out to a share of new sessions. */
async function rollOut(state: State): Promise<void> {
  const { deploymentId } = state;
  for (;;) {
    const moves = state.moves;
    const { waitMs } = await calls.advance(deploymentId);
    if (waitMs === null) return;
    setCurrentDetails(`Rolls out: looks again in ${Math.round(waitMs / 60_000)} minutes.`);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof review>({ deploymentId, isRollingOut: true });
    }
    await condition(() => state.moves > moves, waitMs);
  }
}

// One short transaction each. A database outage must neither lose a review nor leave it stuck: they are retried until they succeed. Checks
// and trials have an end to their other tries, because an operator decides without them.
const {
  advanceRollout,
  checkSubmission,
  createTrial,
  dropTrial,
  judgeTrial,
  moveReview,
  recordBrokenChecks,
  remindReviewers,
} = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

type Order<Name extends keyof Activities> = Parameters<Activities[Name]>[0];
type Trial = Order<'createTrial'>;

/** The activities of a review, with the summary that operators read. */
const calls = {
  check: (deploymentId: string) =>
    checkSubmission.executeWithOptions({ summary: 'Read the configuration and its texts' }, [{ deploymentId }]),

  /** Runs a prompt with the submitted version as a separate run, and judges its result. */
  async tryOut(trial: Trial) {
    const runId = await runTrial(trial);
    return judgeTrial.executeWithOptions({ summary: `Judge ${nameOf(trial)}` }, [{ ...trial, runId }]);
  },

  /** Runs a prompt with the public version, unless there is none or an earlier review has run it. Returns its cost. */
  async compare(trial: Trial): Promise<number> {
    const runId = await runTrial(trial);
    if (runId === null) return 0;
    const ended = await judgeTrial.executeWithOptions({ summary: `Count ${nameOf(trial)}` }, [{ ...trial, runId }]);
    return ended.costUsd;
  },

  tellBroken: (deploymentId: string) =>
    recordBrokenChecks.executeWithOptions({ summary: 'Tell that the checks failed' }, [{ deploymentId }]),

  move: (order: Order<'moveReview'>) =>
    moveReview.executeWithOptions({ summary: `Move the deployment: ${order.move}` }, [order]),

  advance: (deploymentId: string) =>
    advanceRollout.executeWithOptions({ summary: 'Look after the rollout' }, [{ deploymentId }]),

  remind: (order: Order<'remindReviewers'>) =>
    remindReviewers.executeWithOptions({ summary: `Tell operators that it waits: ${order.level}` }, [order]),
};

const nameOf = ({ kind, index }: Trial) => `${kind} ${index + 1}`;

async function runTrial(trial: Trial): Promise<string | null> {
  const name = nameOf(trial);
  const create = () => createTrial.executeWithOptions({ summary: `Create the run of ${name}` }, [trial]);
  // Even after the review was decided, because an abandoned run would hold money.
  const runId = await CancellationScope.nonCancellable(create);
  if (runId !== null) await runOrDrop(runId, name);
  return runId;
}

async function runOrDrop(runId: string, name: string): Promise<void> {
  await untilEnd(runId, name).catch(async (error: unknown) => {
    if (isCancellation(error)) await drop(runId, name);
    throw error;
  });
}

async function untilEnd(runId: string, name: string): Promise<void> {
  const ended = executeChild<typeof run>(RUN_WORKFLOW, {
    workflowId: runId,
    args: [{ runId }],
    staticSummary: `Trial: ${name}`,
    // The publisher's workspace, whose erasure deletes the history.
    typedSearchAttributes: workspaceOf(workflowInfo()),
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
