import { ApplicationFailure } from '@temporalio/activity';
import { PluginNeedsCaller } from '../../db/plugins/plugins.ts';
import type { EventHead, NewEvent } from '../../db/events/appendEvents.ts';
import { beginModelStep, beginStep, type StepBeginning } from '../../db/runs/steps/beginStep.ts';
import { compactionRuleOf } from '../../db/agents/compaction.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { cutTextIn } from '../../db/runs/cutText.ts';
import {
  type CompactionResult,
  type Conversation,
  type ModelResult,
  readConversation,
  readStepRecord,
} from '../../db/runs/steps/stepRecords.ts';
import { finishRun, type FinishedRun } from '../../db/runs/states/finishRun.ts';
import type { ThousandthsByMeter } from '../../db/runs/cost/runCost.ts';
import type { LockedRun, RunRow } from '../../db/runs/runRow.ts';
import { FIRST_STEP, type BegunStep, type StepRef } from '../../db/runs/stepFacts.ts';
import { finishLastStep, finishStep, reportProgress, retriesOf, type StepEnding } from '../../db/runs/steps/steps.ts';
import { type Json, ProviderError } from '../../providers/provider.ts';
import type { RunDependencies } from '../dependencies.ts';
import { afterRunFinished } from './runTransitions.ts';
import type { Contact } from './contact.ts';
import { failStep, EmptyAnswer, failureOf, putOffAfterLosses } from './failures.ts';
import { modelRequestOf, toolNamesIn } from './modelRequest.ts';
import { retryWhileDatabaseDown, watchActivity, type Watch } from './watchActivity.ts';
import { callModel, type ModelReply } from './callModel.ts';
import { compact, summaryRequestOf } from './compact.ts';
import { planCompaction, type CompactionPlan } from './compaction.ts';
import { resultOf, runEndingOf, stepEndingOf } from './modelStepEnding.ts';
import { nextTurn, stepsMaxIn, turnAfterCompaction, turnAfterReused, type RunTurn } from './runTurn.ts';
import { readOutput } from './typedOutput.ts';

export interface ModelStepOrder extends StepRef {
  /** The run's deadline, in milliseconds since 1970. Absent for the run's first step, which returns it. */
  deadlineMs?: number;
}

/** The history's record of a model step: its meters and events, and the next turn. */
export type ModelStepResult = { meters: ThousandthsByMeter; events: EventHead[] } & RunTurn;

/**
 * One model call, streamed to callers, metered, and stored for later steps. The first step takes the run out of the queue. The last step
 * also settles and finishes the run. A step whose conversation has become too long compacts it instead. `isNew`: it was not done before.
 */
export function createModelStep(
  dependencies: RunDependencies,
): (order: ModelStepOrder, contact: Contact) => Promise<{ result: ModelStepResult; isNew: boolean }> {
  const { db, models } = dependencies;
  return async (order, contact) => {
    const produced = { outputTokens: 0 };
    const watch = watchActivity({ contact, progress: () => ({ step: order.step, ...produced }) });
    try {
      const { started, ...read } = await retryWhileDatabaseDown(watch, () => begin(dependencies, order));
      const { conversation } = read;
      const model = models.runningModelOf(conversation.configuration);
      if (started.state === 'begun') {
        const one = { order, started, ...read, model, watch, produced };
        return { result: await attempt(dependencies, one), isNew: true };
      }
      const turn = await turnAfter(dependencies, { order, started, conversation });
      const record = { ...(await readStepRecord(db.pool, order)), ...stepsMaxIn(conversation.configuration) };
      return { result: { ...record, ...turn }, isNew: false };
    } catch (error) {
      throw failureOf(error);
    } finally {
      watch.end();
    }
  };
}

interface Beginning {
  started: StepBeginning;
  /** Without this step. */
  conversation: Conversation;
  plan?: CompactionPlan | undefined;
}

async function begin({ db, models }: RunDependencies, { runId, step }: ModelStepOrder): Promise<Beginning> {
  const standardModel = models.standard.id;
  if (step === FIRST_STEP) {
    const [started, conversation] = await beginModelStep(db.pool, { runId, step, standardModel });
    return { started, conversation };
  }
  const conversation = await readConversation(db.pool, runId);
  const { configuration } = conversation;
  const plan = await planCompaction(conversation, models.runningModelOf(configuration));
  const model = { kind: 'model', name: configuration.model || standardModel } as const;
  const order = plan ? ({ kind: 'compaction', name: plan.mode } as const) : model;
  return { started: await beginStep(db.pool, { runId, step, ...order }), conversation, plan };
}

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
    case 'cancelling':
      return finalTurn(
        dependencies,
        order.runId,
        await finishRun(dependencies.db, order.runId, { status: 'cancelled' }),
      );
    case 'done': {
      const deadlineMs = deadlineOf(order, started.run);
      if (order.step < (started.run.rerun_from_step ?? 0))
        return turnAfterReused(started.run, conversation, deadlineMs);
      return turnOf(order.step, started.result as ModelResult | CompactionResult, {
        deadlineMs,
        configuration: conversation.configuration,
      });
    }
    default:
      return started satisfies never;
  }
}

const turnOf = (step: number, result: ModelResult | CompactionResult, about: Parameters<typeof nextTurn>[1]) =>
  'through' in result ? turnAfterCompaction(step, result, about.deadlineMs) : nextTurn(result, about);

interface Attempt extends Beginning {
  order: ModelStepOrder;
  started: StepBeginning & { state: 'begun' };
  /** Undefined if the catalogue no longer has it. */
  model: Model | undefined;
  watch: Watch;
  produced: { outputTokens: number };
}

async function attempt(dependencies: RunDependencies, one: Attempt): Promise<ModelStepResult> {
  const { order, started, conversation, model, watch, produced } = one;
  const { begun, run, events } = started;
  const { db, retryDelayMaxMs } = dependencies;
  const deadlineMs = deadlineOf(order, run);
  watch.stopAfter(deadlineMs - run.real_at.getTime());
  try {
    const retries = begun.attempt > 1 ? await retriesOf(db.pool, begun) : {};
    putOffAfterLosses(begun.attempt, retries);
    if (!model) throw ApplicationFailure.nonRetryable('The catalogue no longer has the model.', 'model_missing');
    const isCompaction = begun.kind === 'compaction';
    const asked = { run, begun, conversation, plan: one.plan, model };
    const body = await (isCompaction ? summaryRequestOf : modelRequestOf)(dependencies, asked).catch(needOf);
    const earlier = async () => (begun.attempt === 1 ? events : (await readStepRecord(db.pool, order)).events);
    if (body instanceof PluginNeedsCaller) {
      const ended = [...(await earlier()), ...(await finishStep(db.pool, begun, putOffFor(body))).events];
      return { meters: {}, events: ended, next: 'plugin', deadlineMs };
    }
    const call = { ...asked, watch, produced };
    const { reply, result, ending, runEnding } = isCompaction
      ? await compact(dependencies, { ...call, body })
      : await answer(dependencies, { ...call, body: body! });
    refuseUnanswered(reply, retries);
    const earlierEvents = await earlier();
    const meters = ending.quantities;
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
    const { configuration } = conversation;
    const known = body ? toolNamesIn(body) : undefined;
    const turn = turnOf(order.step, result, { deadlineMs, configuration, ...(known && { known }) });
    return { meters, events: [...earlierEvents, ...ended.events], ...stepsMaxIn(configuration), ...turn };
  } catch (error) {
    const hasSpoken = produced.outputTokens > 0;
    throw await failStep({ pool: db.pool, retryDelayMaxMs }, { begun, watch, error, hasSpoken });
  }
}

interface Answering extends Pick<Attempt, 'conversation' | 'watch' | 'produced'> {
  run: LockedRun;
  begun: BegunStep;
  model: Model;
  body: Json;
}

/** Asks the model: its reply, and the end of the step and of the run, if it ends. */
async function answer(dependencies: RunDependencies, call: Answering) {
  const { run, begun, conversation, model } = call;
  const write = (event: NewEvent, quantities: ThousandthsByMeter) =>
    reportProgress(dependencies.db.pool, begun, { events: [event], quantities });
  const cut = cutTextIn(conversation.steps);
  const reply = await callModel(dependencies, { ...call, cut, write });
  refuseEmptyReply(reply, run);
  const output = readOutput(conversation.outputSchema, reply, cut?.text);
  const { contextTokens } = reply;
  const isCompacted = compactionRuleOf(conversation.configuration, model) !== undefined;
  const result = { ...resultOf(begun.step, reply, output), ...(isCompacted && { contextTokens }) };
  const runEnding = runEndingOf(reply, run, { conversation, model, output });
  const ending = stepEndingOf(begun, { reply, output, result, cut, isLast: runEnding !== undefined });
  return { reply, result, ending, runEnding };
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

/** Throws when an answer has no text. */
function refuseEmptyReply({ outcome, text, quantities }: ModelReply, run: RunRow): void {
  // Earlier steps may have completed the output.
  if (outcome === 'final' && text === '' && run.output.length === 0) throw new EmptyAnswer(quantities);
}

/** Throws when there was no answer from an upstream that failed before. */
function refuseUnanswered(reply: ModelReply | undefined, retries: Record<string, number>): void {
  const isUnanswered = reply?.outcome === 'timeout' && Object.keys(reply.quantities).length === 0;
  if (isUnanswered && retries.overloaded) throw new ProviderError('overloaded', 'no answer until the time was up');
  if (isUnanswered && retries.provider_failed) throw new ProviderError('stalled', 'no answer until the time was up');
}

const finalTurn = async (dependencies: RunDependencies, runId: string, finished: FinishedRun): Promise<RunTurn> => ({
  next: 'end',
  result: await afterRunFinished(dependencies, runId, finished),
});
