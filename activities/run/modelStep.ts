import { ApplicationFailure } from '@temporalio/activity';
import { nanosOfUsd } from '../../db/money.ts';
import type { EventHead, NewEvent } from '../../db/runs/events/appendEvents.ts';
import { beginStep, type StepBeginning } from '../../db/runs/beginStep.ts';
import { readConversation, type Conversation, type ModelResult } from '../../db/runs/conversation.ts';
import { finishRun, type FinishedRun } from '../../db/runs/finishRun.ts';
import type { RunEnding } from '../../db/runs/runEnding.ts';
import { readStepRecord } from '../../db/runs/readStepRecord.ts';
import type { Quantities } from '../../db/runs/cost/rowCost.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { endLastStep, endStep, reportProgress, type BegunStep, type StepRef } from '../../db/runs/steps.ts';
import type { RunResult } from '../../workflows/contract.ts';
import type { RunDependencies } from './dependencies.ts';
import { endRun } from './endRun.ts';
import { failStep } from './failStep.ts';
import { failureOf } from './failures.ts';
import { modelRequestOf, toolNamesIn } from './modelRequest.ts';
import { outlastAbsence } from './outlastAbsence.ts';
import { think, type Thought } from './think.ts';
import { watchActivity, type Watch } from './watchActivity.ts';

export interface ModelStepOrder extends StepRef {
  /** When the run's time is up, in milliseconds since 1970. Absent with the run's first step, which tells it. */
  deadlineMs?: number;
}

/** What the history keeps of a model step: what it consumed and told, and how the run goes on. */
export type ModelStepResult = { meters: Quantities; events: EventHead[] } & RunTurn;

/**
 * How a run goes on after a step of its model: with tools, with the caller's leave to spend more, or not at all. A tool that the agent
 * does not have is `unknown`: its name is the model's own words.
 */
type RunTurn =
  | { next: 'tools'; toolCalls: { step: number; name: string }[]; deadlineMs: number }
  | { next: 'raise_limit'; deadlineMs: number }
  | { next: 'end'; result: RunResult };

/**
 * Asks the model what to do next: one call, told to callers while it comes, metered, and kept for the steps after it. The first one
 * takes the run out of the queue. One after which there is nothing left to do settles and ends the run.
 */
export function createModelStep(dependencies: RunDependencies): (order: ModelStepOrder) => Promise<ModelStepResult> {
  const { db, model } = dependencies;
  return async (order) => {
    const produced = { outputTokens: 0 };
    const watch = watchActivity({ progress: () => produced });
    try {
      const kind = { kind: 'model' as const, name: model.id };
      // Read meanwhile: it says nothing of this step.
      const begin = () =>
        Promise.all([beginStep(db.pool, { ...order, ...kind }), readConversation(db.pool, order.runId)]);
      const [started, conversation] = await outlastAbsence(watch, begin);
      if (started.state === 'begun')
        return await attempt(dependencies, { order, started, conversation, watch, produced });
      return { ...(await readStepRecord(db.pool, order)), ...(await turnAfter(dependencies, order, started)) };
    } catch (error) {
      throw failureOf(error);
    } finally {
      watch.end();
    }
  };
}

/** What comes after a step that is not to be done, or not again. A step that ended its run left nothing to go on with. */
async function turnAfter(
  dependencies: RunDependencies,
  order: ModelStepOrder,
  started: Exclude<StepBeginning, { state: 'begun' }>,
): Promise<RunTurn> {
  switch (started.state) {
    case 'suspended':
      throw ApplicationFailure.nonRetryable('The agent is suspended.', 'suspended');
    case 'over':
      return endOf(dependencies, await finishRun(dependencies.db, order.runId, { status: 'cancelled' }));
    case 'done':
      return goOn(started.result as ModelResult, deadlineOf(order, started.run));
    default:
      return started satisfies never;
  }
}

interface Attempt {
  order: ModelStepOrder;
  started: StepBeginning & { state: 'begun' };
  conversation: Conversation;
  watch: Watch;
  produced: { outputTokens: number };
}

async function attempt(
  dependencies: RunDependencies,
  { order, started: { begun, run, events }, conversation, watch, produced }: Attempt,
): Promise<ModelStepResult> {
  const { db } = dependencies;
  const deadlineMs = deadlineOf(order, run);
  watch.stopAfter(deadlineMs - run.at.getTime());
  try {
    const body = await modelRequestOf(dependencies, run, conversation);
    const write = (event: NewEvent, quantities: Quantities) =>
      reportProgress(db.pool, begun, { events: [event], quantities });
    const thought = await think(dependencies, { run, body, itemId: itemIdOf(begun), watch, produced, write });
    const result = resultOf(order.step, thought);
    const ending = endingOf(begun, thought, result);
    const told = begun.attempt === 1 ? events : (await readStepRecord(db.pool, order)).events;
    const meters = thought.quantities;
    const runEnding = runEndingOf(thought.outcome, run);
    if (runEnding) {
      const finished = await endLastStep(db, begun, { ...ending, run: runEnding });
      const heads = finished.events.splice(0, finished.events.length - 1);
      return { meters, events: [...told, ...heads], ...(await endOf(dependencies, finished)) };
    }
    const ended = await endStep(db.pool, begun, ending);
    return { meters, events: [...told, ...ended.events], ...goOn(result, deadlineMs, toolNamesIn(body)) };
  } catch (error) {
    throw await failStep(db.pool, begun, error, watch);
  }
}

// A run's time begins with its work. Time that it waits for its caller does not count: its workflow knows of that.
const deadlineOf = ({ deadlineMs }: ModelStepOrder, { started_at, timeout_seconds }: RunRow): number =>
  deadlineMs ?? new Date(started_at!).getTime() + timeout_seconds * 1000;

function runEndingOf(outcome: Thought['outcome'], run: RunRow): RunEnding | undefined {
  switch (outcome) {
    case 'final':
      return { status: 'completed' };
    case 'stopped':
      return { status: 'cancelled' };
    case 'timeout':
      return { status: 'limit_reached', limit: 'timeout' };
    case 'limit':
      return run.on_limit === 'pause' && canBeRaised(run) ? undefined : { status: 'limit_reached', limit: 'cost' };
    case 'tools':
      return undefined;
    default:
      return outcome satisfies never;
  }
}

// A run that holds all that its agent may cost would wait for what nobody can give.
const canBeRaised = ({ held_nanos, rate_card }: RunRow) => BigInt(held_nanos) < nanosOfUsd(rate_card.maximum_cost_usd);

const endOf = async (dependencies: RunDependencies, finished: FinishedRun): Promise<RunTurn> => ({
  next: 'end',
  result: await endRun(dependencies, finished),
});

function goOn({ outcome, toolCalls }: ModelResult, deadlineMs: number, known?: Set<string>): RunTurn {
  if (outcome !== 'tools') return { next: 'raise_limit', deadlineMs };
  const nameOf = (name: string) => (!known || known.has(name) ? name : 'unknown');
  return { next: 'tools', toolCalls: toolCalls.map(({ step, name }) => ({ step, name: nameOf(name) })), deadlineMs };
}

function resultOf(step: number, { text, calls, outcome }: Thought): ModelResult {
  const toolCalls = calls.map((call, index) => ({ ...call, id: call.id || `call_${index}`, step: step + 1 + index }));
  return { text, toolCalls, outcome };
}

function endingOf(begun: BegunStep, { text, quantities, left }: Thought, result: ModelResult) {
  const hasText = text !== '';
  return {
    state: 'completed' as const,
    result,
    quantities,
    events: hasText ? [...left, { type: 'run.output_text.done', data: { item_id: itemIdOf(begun), text } }] : left,
    output: hasText ? [{ type: 'output_text', text }] : [],
  };
}

const itemIdOf = ({ id }: BegunStep) => id.replace(/^step_/, 'item_');
