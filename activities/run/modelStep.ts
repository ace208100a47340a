import { ApplicationFailure } from '@temporalio/activity';
import { PluginNeedsCaller } from '../../db/plugins/plugins.ts';
import { nanosOfUsd } from '../../db/money.ts';
import type { EventHead, NewEvent } from '../../db/events/appendEvents.ts';
import { beginModelStep, type StepBeginning } from '../../db/runs/steps/beginStep.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { cutTextIn } from '../../db/runs/cutText.ts';
import { type Conversation, type ModelResult, readStepRecord } from '../../db/runs/steps/stepRecords.ts';
import { finishRun, type FinishedRun, type RunEnding } from '../../db/runs/states/finishRun.ts';
import type { ThousandthsByMeter } from '../../db/runs/cost/runCost.ts';
import type { LockedRun, RunRow } from '../../db/runs/runRow.ts';
import {
  finishLastStep,
  finishStep,
  reportProgress,
  retriesOf,
  type StepEnding,
  type StepRef,
} from '../../db/runs/steps/steps.ts';
import { ProviderError } from '../../providers/provider.ts';
import type { RunDependencies } from '../dependencies.ts';
import { afterRunFinished } from './runTransitions.ts';
import { failStep, EmptyAnswer, failureOf, refuseLostTooOften } from './failures.ts';
import { modelRequestOf, toolNamesIn } from './modelRequest.ts';
import { retryWhileDatabaseDown, watchActivity, type Watch } from './watchActivity.ts';
import { callModel, type ModelReply } from './callModel.ts';
import { FILTERED_ENDING, isCutCall, resultOf, stepEndingOf } from './modelStepEnding.ts';
import { nextTurn, stepsMaxIn, turnAfterReused, type RunTurn } from './runTurn.ts';
import { endOfMisfit, endOfSteps, readOutput, type TypedOutput } from './typedOutput.ts';

// Limit on the number of model outputs that continue one answer.
const CONTINUATIONS_MAX = 8;
// With less context than this another call is not worthwhile.
const ROOM_TOKENS_MIN = 512;

export interface ModelStepOrder extends StepRef {
  /** The run's deadline, in milliseconds since 1970. Absent for the run's first step, which returns it. */
  deadlineMs?: number;
}

/** The history's record of a model step: its meters and events, and the next turn. */
export type ModelStepResult = { meters: ThousandthsByMeter; events: EventHead[] } & RunTurn;

/**
 * One model call, streamed to callers, metered, and stored for later steps. The first step takes the run out of the queue. The last step
 * also settles and finishes the run.
 */
export function createModelStep(dependencies: RunDependencies): (order: ModelStepOrder) => Promise<ModelStepResult> {
  const { db, models } = dependencies;
  return async (order) => {
    const produced = { outputTokens: 0 };
    const watch = watchActivity({ progress: () => produced });
    try {
      const [started, conversation] = await retryWhileDatabaseDown(watch, () => begin(dependencies, order));
      const model = models.runningModelOf(conversation.configuration);
      if (started.state === 'begun')
        return await attempt(dependencies, { order, started, conversation, model, watch, produced });
      const turn = await turnAfter(dependencies, { order, started, conversation });
      return { ...(await readStepRecord(db.pool, order)), ...stepsMaxIn(conversation.configuration), ...turn };
    } catch (error) {
      throw failureOf(error);
    } finally {
      watch.end();
    }
  };
}

// The conversation excludes this step.
const begin = (
  { db, models }: RunDependencies,
  { runId, step }: ModelStepOrder,
): Promise<[StepBeginning, Conversation]> =>
  beginModelStep(db.pool, { runId, step, standardModel: models.standard.id });

/** The result of a step that must not run or run again. A step that has already finished its run has no next step. */
async function turnAfter(
  dependencies: RunDependencies,
  {
    order,
    started,
    conversation,
  }: { order: ModelStepOrder; started: Exclude<StepBeginning, { state: 'begun' }>; conversation: Conversation },
): Promise<RunTurn> {
  switch (started.state) {
    case 'suspended':
      throw ApplicationFailure.nonRetryable('The agent is suspended.', 'suspended');
    case 'over':
      return finalTurn(
        dependencies,
        order.runId,
        await finishRun(dependencies.db, order.runId, { status: 'cancelled' }),
      );
    case 'done': {
      const deadlineMs = deadlineOf(order, started.run);
      if (order.step < (started.run.rerun_from_step ?? 0))
        return turnAfterReused(started.run, conversation, deadlineMs);
      return nextTurn(started.result as ModelResult, deadlineMs);
    }
    default:
      return started satisfies never;
  }
}

interface Attempt {
  order: ModelStepOrder;
  started: StepBeginning & { state: 'begun' };
  conversation: Conversation;
  /** Undefined if the catalogue no longer has it. */
  model: Model | undefined;
  watch: Watch;
  produced: { outputTokens: number };
}

async function attempt(
  dependencies: RunDependencies,
  { order, started: { begun, run, events }, conversation, model, watch, produced }: Attempt,
): Promise<ModelStepResult> {
  const { db, retryDelayMaxMs } = dependencies;
  const deadlineMs = deadlineOf(order, run);
  watch.stopAfter(deadlineMs - run.real_at.getTime());
  try {
    const retries = begun.attempt > 1 ? await retriesOf(db.pool, begun) : {};
    refuseLostTooOften(begun.attempt, retries);
    if (!model) throw ApplicationFailure.nonRetryable('The catalogue no longer has the model.', 'model_missing');
    const body = await modelRequestOf(dependencies, { run, conversation, model }).catch(needOf);
    const earlier = async () => (begun.attempt === 1 ? events : (await readStepRecord(db.pool, order)).events);
    if (body instanceof PluginNeedsCaller) {
      const ended = [...(await earlier()), ...(await finishStep(db.pool, begun, putOffFor(body))).events];
      return { meters: {}, events: ended, next: 'plugin', deadlineMs };
    }
    const write = (event: NewEvent, quantities: ThousandthsByMeter) =>
      reportProgress(db.pool, begun, { events: [event], quantities });
    const cut = cutTextIn(conversation.steps);
    const reply = await callModel(dependencies, { run, model, body, begun, cut, watch, produced, write });
    refuseEmptyReply(reply, run, retries);
    const output = readOutput(conversation.outputSchema, reply, cut?.text);
    const result = resultOf(order.step, reply, output);
    const earlierEvents = await earlier();
    const meters = reply.quantities;
    const runEnding = runEndingOf(reply, run, { conversation, model, output });
    const ending = stepEndingOf(begun, { reply, output, result, cut, isLast: runEnding !== undefined });
    if (runEnding) {
      const finished = await finishLastStep(db, begun, { ...ending, run: runEnding });
      const heads = finished.events.splice(0, finished.events.length - 1);
      return {
        meters,
        events: [...earlierEvents, ...heads],
        ...(await finalTurn(dependencies, order.runId, finished)),
      };
    }
    const ended = await finishStep(db.pool, begun, ending);
    const turn = { ...stepsMaxIn(conversation.configuration), ...nextTurn(result, deadlineMs, toolNamesIn(body)) };
    return { meters, events: [...earlierEvents, ...ended.events], ...turn };
  } catch (error) {
    const hasSpoken = produced.outputTokens > 0;
    throw await failStep({ pool: db.pool, retryDelayMaxMs }, { begun, watch, error, hasSpoken });
  }
}

function needOf(error: unknown): PluginNeedsCaller {
  if (error instanceof PluginNeedsCaller) return error;
  throw error;
}

/** Ends the attempt; the next one begins once the caller has supplied the plugin's requirement. */
const putOffFor = ({ need }: PluginNeedsCaller): StepEnding => ({
  state: 'failed',
  failure: { reason: `${need.type}_missing` },
  retryAfterMs: 0,
  result: null,
  quantities: {},
});

// The deadline counts from the first step, in real time: moves of a test clock do not shorten it. The workflow excludes time spent waiting
// for the caller.
function deadlineOf({ deadlineMs }: ModelStepOrder, { started_at, at, real_at, timeout_seconds }: LockedRun): number {
  if (deadlineMs !== undefined) return deadlineMs;
  const elapsedMs = at.getTime() - new Date(started_at!).getTime();
  return real_at.getTime() - elapsedMs + timeout_seconds * 1_000;
}

/** Throws when the call produced nothing: an answer without text, or no answer from an upstream that failed before. */
function refuseEmptyReply(
  { outcome, text, quantities }: ModelReply,
  run: RunRow,
  retries: Record<string, number>,
): void {
  // Earlier steps may have completed the output.
  if (outcome === 'final' && text === '' && run.output.length === 0) throw new EmptyAnswer(quantities);
  const isUnanswered = outcome === 'timeout' && Object.keys(quantities).length === 0;
  if (isUnanswered && retries.overloaded) throw new ProviderError('overloaded', 'no answer until the time was up');
  if (isUnanswered && retries.provider_failed) throw new ProviderError('stalled', 'no answer until the time was up');
}

function runEndingOf(
  { outcome, contextTokens, calls, quantities }: ModelReply,
  run: RunRow,
  { conversation, model, output }: { conversation: Conversation; model: Model; output: TypedOutput | undefined },
): RunEnding | undefined {
  if (output && 'data' in output) return { status: 'completed' };
  if (output) return endOfMisfit(conversation, output.repair) ?? endOfSteps(conversation);
  const used = (quantities.model_output_tokens ?? 0) / 1000;
  const tokens = model.outputTokensMax;
  const tooLong = { status: 'limit_reached', limit: 'model_output_limit', tokens, used } as const;
  switch (outcome) {
    case 'final':
      return { status: 'completed' };
    case 'stopped':
      return { status: 'cancelled' };
    case 'timeout':
      return { status: 'limit_reached', limit: 'timeout' };
    case 'limit':
      return run.on_limit === 'pause' && canBeRaised(run) ? undefined : { status: 'limit_reached', limit: 'cost' };
    case 'length': {
      const mayGoOn = continuationsIn(conversation) < CONTINUATIONS_MAX;
      const hasRoom = contextTokens + ROOM_TOKENS_MIN <= model.contextTokens;
      if (mayGoOn && hasRoom) return undefined;
      return tooLong;
    }
    case 'filtered':
      return FILTERED_ENDING;
    case 'tools':
      return calls.some(isCutCall) && hasCutCall(conversation) ? tooLong : endOfSteps(conversation);
    default:
      return outcome satisfies never;
  }
}

/** Whether a limit cut the model's last call in a tool's arguments: it was then asked to write less at a time. */
const hasCutCall = ({ steps }: Conversation): boolean =>
  steps.findLast((step) => step.kind === 'model')?.result.toolCalls.some(isCutCall) ?? false;

/** The number of outputs that already continue the current answer. */
function continuationsIn({ steps }: Conversation): number {
  const models = steps.filter((step) => step.kind === 'model');
  return models.length - 1 - models.findLastIndex(({ result }) => result.outcome !== 'length');
}

// A run that already holds its agent's maximum cannot get a higher limit.
const canBeRaised = ({ held_nanos, children_nanos, rate_card }: RunRow) =>
  BigInt(held_nanos) + BigInt(children_nanos) < nanosOfUsd(rate_card.maximum_cost_usd);

const finalTurn = async (dependencies: RunDependencies, runId: string, finished: FinishedRun): Promise<RunTurn> => ({
  next: 'end',
  result: await afterRunFinished(dependencies, runId, finished),
});
