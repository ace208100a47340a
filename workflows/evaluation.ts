import {
  ActivityFailure,
  CancellationScope,
  condition,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { EVALUATION_CASE_MS } from '../base/limits.ts';
import type { EvaluationEnded, EvaluationInput } from '../contracts/evaluation.ts';
import { RUN_WORKFLOW } from '../contracts/run.ts';
import type { run } from './run.ts';
import { workspaceOf } from './workspaceOf.ts';

/** Cases that run at once. */
const LANES = 5;
const POLL_MS = 2_000;

/**
 * Runs the cases of an evaluation set side by side, each as a run of its own, and checks what each did. All of them together never cost more
 * than the limit: each takes its part of it before it begins, and returns what it did not spend. The results are in the database, so a
 * workflow that is started again continues with the cases that have none.
 */
export async function evaluation({ evaluationRunId }: EvaluationInput): Promise<EvaluationEnded> {
  const state: State = { evaluationRunId, queue: [], leftNanos: 0n, running: 0 };
  await begin(state).catch((error: unknown) => stopAtFault(state, error));
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => runLane(state)));
  const broken = lanes.filter((lane) => lane.status === 'rejected');
  for (const { reason } of broken) if (!isCancellation(reason)) throw reason as Error;
  const order = { evaluationRunId, isCancelled: broken.length > 0, stop: state.stop ?? null };
  return CancellationScope.nonCancellable(() => calls.finish(order));
}

async function begin(state: State): Promise<void> {
  // Also of a cancelled one, whose cases get their results by its end.
  const plan = CancellationScope.nonCancellable(() => calls.begin(state.evaluationRunId));
  const { cases, leftNanos } = await plan;
  Object.assign(state, { queue: cases, leftNanos: BigInt(leftNanos) });
}

/** A step that has failed in all its tries ends the evaluation, with the results that it has. */
function stopAtFault(state: State, error: unknown): void {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  state.stop ??= 'internal_error';
}

type Plan = Awaited<ReturnType<Activities['beginEvaluation']>>;
type PlannedCase = Plan['cases'][number];

interface State {
  evaluationRunId: string;
  /** The cases that have not begun. */
  queue: PlannedCase[];
  /** What the cases that have not begun may cost together. */
  leftNanos: bigint;
  running: number;
  /** Why no other case begins. */
  stop?: string;
}

async function runLane(state: State): Promise<void> {
  const isOver = () => state.stop !== undefined || state.queue.length === 0;
  // With less than its part left, a case waits for what the running ones return.
  const mayBegin = () => state.running === 0 || state.leftNanos >= BigInt(state.queue[0]!.wantedNanos);
  for (;;) {
    await condition(() => isOver() || mayBegin());
    if (isOver()) return;
    // Another lane was faster.
    if (!mayBegin()) continue;
    const next = state.queue.shift()!;
    if (state.leftNanos < BigInt(next.leastNanos)) return void (state.stop = 'cost_limit');
    await runCase(state, next).catch((error: unknown) => stopAtFault(state, error));
  }
}

async function runCase(state: State, { place, wantedNanos }: PlannedCase): Promise<void> {
  const allottedNanos = state.leftNanos < BigInt(wantedNanos) ? state.leftNanos : BigInt(wantedNanos);
  state.leftNanos -= allottedNanos;
  state.running += 1;
  setCurrentDetails(`Runs case ${place + 1}. ${state.queue.length} cases have not begun.`);
  const order = { evaluationRunId: state.evaluationRunId, place, allottedNanos: String(allottedNanos) };
  try {
    const started = await CancellationScope.nonCancellable(() => calls.start(order));
    if (started.stop !== undefined) state.stop ??= started.stop;
    if (started.runId === null) return void (state.leftNanos += allottedNanos);
    const runId = started.runId;
    await runToItsEnd(runId, place).catch(async (error: unknown) => {
      if (isCancellation(error))
        await CancellationScope.nonCancellable(() => calls.grade({ ...order, runId, isCut: true }));
      throw error;
    });
    // A judge that has begun is paid: a cancellation waits for its verdict.
    const grade = () => calls.grade({ ...order, runId, isCut: false });
    const { spentNanos, stop } = await CancellationScope.nonCancellable(grade);
    if (stop !== undefined) state.stop ??= stop;
    state.leftNanos += allottedNanos - BigInt(spentNanos);
  } finally {
    state.running -= 1;
  }
}

/** Ends when the run has: within its time, or cancelled. */
async function runToItsEnd(runId: string, place: number): Promise<void> {
  const outer = CancellationScope.current();
  await CancellationScope.withTimeout(EVALUATION_CASE_MS, () => untilEnd(runId, place)).catch((error: unknown) => {
    if (outer.consideredCancelled || !isCancellation(error)) throw error;
  });
}

async function untilEnd(runId: string, place: number): Promise<void> {
  const scope = CancellationScope.current();
  try {
    await executeChild<typeof run>(RUN_WORKFLOW, {
      workflowId: runId,
      args: [{ runId }],
      staticSummary: `Case ${place + 1}`,
      typedSearchAttributes: workspaceOf(workflowInfo()),
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    });
  } catch (error) {
    if (scope.consideredCancelled) throw error;
    // Started by an earlier workflow of this evaluation. Otherwise it failed, and is judged by its row.
    if ((error as Error).name === 'WorkflowExecutionAlreadyStartedError')
      while ((await calls.readEnd(runId)) === null) await sleep(POLL_MS);
  }
}

// Short transactions, retried while the database is down. The last one has no end of tries in the workflow: nothing else ends it.
const { beginEvaluation, startEvaluationCase, finishEvaluation, readRunEnd } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

// A model may judge. A killed worker's call is repeated, unless its bill was on disk.
const { gradeEvaluationCase } = proxyActivities<Activities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

type Order<Name extends keyof Activities> = Parameters<Activities[Name]>[0];

/** The activities of an evaluation, with the summary that operators read. */
const calls = {
  begin: (id: string) => beginEvaluation.executeWithOptions({ summary: 'Read the cases' }, [id]),

  start: (order: Order<'startEvaluationCase'>) =>
    startEvaluationCase.executeWithOptions({ summary: `Create the run of case ${order.place + 1}` }, [order]),

  grade: (order: Order<'gradeEvaluationCase'>) =>
    gradeEvaluationCase.executeWithOptions({ summary: `Check case ${order.place + 1}` }, [order]),

  readEnd: (runId: string) => readRunEnd.executeWithOptions({ summary: 'See whether the run has ended' }, [runId]),

  finish: (order: Order<'finishEvaluation'>) =>
    finishEvaluation.executeWithOptions({ summary: 'Count the results' }, [order]),
};
