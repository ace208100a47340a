import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import type { ModelStepResult, PauseOrder, RunEnding, RunPlan } from '../activities/index.ts';
import { answerLimitMs, type RunInput, type RunResult, type RunState } from './contract.ts';
import { calls } from './run/calls.ts';
import { endingOf, failed } from './run/endingOf.ts';
import { resumeRun, runState } from './run/messages.ts';
import { createOperatorView, type OperatorView } from './run/operatorView.ts';

// An agent that gets nowhere ends here. It also bounds the history, far below the length at which one has to be continued as new.
const MODEL_STEPS_MAX = 32;

/** The tool that is answered by the caller. */
const ASK_USER = 'ask_user';

/**
 * One run of an agent: begin, think and use tools until done, end. However its work ends, the last call settles it and writes its
 * end, also when it is cancelled. What is said stays in the database; the history has numbers, names and times.
 */
export async function run({ runId }: RunInput): Promise<RunResult> {
  const state: RunState = { doing: 'Waits for its turn.', step: 0, modelSteps: 0 };
  const view = createOperatorView(state);
  const answers = { received: 0 };
  setHandler(resumeRun, () => void (answers.received += 1));
  setHandler(runState, () => state);
  const ending = await work({ runId, state, view, answers, deadlineMs: 0 }).catch(endingOf);
  view.show('Is being settled.');
  const result = await CancellationScope.nonCancellable(() => calls.finish(runId, ending));
  view.ended(result);
  return result;
}

interface Job {
  runId: string;
  /** `step` is the number of the last step that was given out. */
  state: RunState;
  view: OperatorView;
  answers: { received: number };
  /** Time that a run waits for its caller does not count. */
  deadlineMs: number;
}

async function work(job: Job): Promise<RunEnding> {
  const plan = await calls.begin(job.runId);
  if (plan.state === 'suspended') return failed('suspended');
  if (plan.state === 'stopped') return { status: 'cancelled' };
  job.deadlineMs = Date.now() + plan.timeoutMs;
  job.view.show(`Works for ${plan.agent}.`);
  while (job.state.modelSteps < MODEL_STEPS_MAX) {
    const ending = await turn(job, plan);
    if (ending) return ending;
  }
  return { status: 'limit_reached', limit: 'steps' };
}

/** One call of the model and what it asks for. Returns how the run ends, if it does. */
async function turn(job: Job, plan: RunPlan): Promise<RunEnding | undefined> {
  const { runId, state, view } = job;
  const modelStep = state.step + 1;
  view.show('Asks the model.');
  const thought = await calls.think(runId, modelStep, job.deadlineMs);
  state.modelSteps += 1;
  state.step = modelStep + thought.toolCalls.length;
  switch (thought.outcome) {
    case 'final':
      return { status: 'completed' };
    case 'stopped':
      return { status: 'cancelled' };
    case 'timeout':
      return { status: 'limit_reached', limit: 'timeout' };
    case 'limit':
      if (!plan.pausesAtLimit) return { status: 'limit_reached', limit: 'cost' };
      return waitForCaller(job, { runId, type: 'raise_limit', step: modelStep });
    case 'tools':
      return useTools(job, modelStep, thought.toolCalls);
    default:
      return thought.outcome satisfies never;
  }
}

async function useTools(
  job: Job,
  modelStep: number,
  toolCalls: ModelStepResult['toolCalls'],
): Promise<RunEnding | undefined> {
  const { runId, view } = job;
  const tools = toolCalls.filter(({ name }) => name !== ASK_USER);
  if (tools.length > 0) view.show(`Uses ${tools.map(({ name }) => name).join(', ')}.`);
  // All end before the run does, also beside one that fails: no tool may write into a run that has been settled.
  const used = await Promise.allSettled(tools.map((tool) => calls.use(runId, { ...tool, modelStep }, job.deadlineMs)));
  for (const one of used) {
    if (one.status === 'rejected') throw one.reason;
    if (one.value.outcome === 'stopped') return { status: 'cancelled' };
    if (one.value.outcome === 'timeout') return { status: 'limit_reached', limit: 'timeout' };
  }
  for (const { step } of toolCalls.filter(({ name }) => name === ASK_USER)) {
    const ending = await waitForCaller(job, { runId, type: 'text', step, modelStep });
    if (ending) return ending;
  }
  return undefined;
}

async function waitForCaller(job: Job, order: PauseOrder): Promise<RunEnding | undefined> {
  const { runId, view, answers } = job;
  const pausedAtMs = Date.now();
  let seen = answers.received;
  await calls.pause(order);
  view.status('requires_action', order.type === 'text' ? 'Waits for an answer.' : 'Waits for a higher limit.');
  for (;;) {
    const leftMs = Math.max(1, pausedAtMs + answerLimitMs - Date.now());
    const answered = await condition(() => answers.received > seen, leftMs);
    seen = answers.received;
    if (await calls.resume(runId, order.step)) break;
    if (!answered) return { status: 'limit_reached', limit: 'answer_timeout' };
  }
  job.deadlineMs += Date.now() - pausedAtMs;
  view.status('in_progress', 'Goes on.');
  return undefined;
}
