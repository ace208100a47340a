import { storableBeginning } from '../../base/json.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import type { NewEvent } from '../../db/events/appendEvents.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { isCut, itemIdOf, type CutText } from '../../db/runs/cutText.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { RunEnding } from '../../db/runs/states/finishRun.ts';
import { MESSAGE_CHARACTERS_MAX, type BegunStep } from '../../db/runs/stepFacts.ts';
import { CALLS_AT_ONCE_MAX, type Conversation, type ModelResult } from '../../db/runs/steps/stepRecords.ts';
import type { StepEnding } from '../../db/runs/steps/steps.ts';
import type { ModelReply } from './callModel.ts';
import { endOfMisfit, endOfSteps, type TypedOutput } from './typedOutput.ts';

// Limit on the number of model outputs that continue one answer.
const CONTINUATIONS_MAX = 8;
// With less context than this another call is not worthwhile.
const ROOM_TOKENS_MIN = 512;

const FILTERED_ENDING = {
  status: 'failed',
  fault: 'caller',
  code: 'content_policy_violation',
  message:
    'The model stopped its answer for its content policy. Nothing was billed. Change the input and run it again.',
} as const;

/** Whether a limit cut the arguments of a call. */
const isCutCall = ({ cutAfter }: { cutAfter?: number }): boolean => cutAfter !== undefined;

/** The stored result of a model step, for later steps. */
export function resultOf(
  step: number,
  { text, calls, outcome: ended }: ModelReply,
  output: TypedOutput | undefined,
): ModelResult {
  const outcome = ended === 'filtered' ? 'stopped' : ended;
  // The calls of an output, or beside it, are not run: the next step is another one.
  const isRun = (call: ModelReply['calls'][number], index: number) =>
    !output && index < CALLS_AT_ONCE_MAX && !isCutCall(call);
  const toolCalls = calls.map((call, index) => ({
    ...call,
    id: call.id || `call_${index}`,
    step: isRun(call, index) ? step + 1 + index : null,
  }));
  if (!output) return { text, toolCalls, outcome };
  return 'data' in output
    ? { text, toolCalls, outcome: 'final' }
    : { text, toolCalls, outcome: 'misfit', repair: output.repair };
}

/** The end of a model step. Its text is complete unless the next step continues it; `isLast`: there is no next step. */
export function stepEndingOf(
  begun: BegunStep,
  {
    reply: { text, quantities, left, outcome },
    output,
    result,
    cut,
    isLast,
  }: {
    reply: ModelReply;
    output: TypedOutput | undefined;
    result: ModelResult;
    cut: CutText | undefined;
    isLast: boolean;
  },
): StepEnding {
  if (outcome === 'filtered') {
    return { state: 'failed', failure: { reason: FILTERED_ENDING.code }, result: null, quantities, events: left };
  }
  const texts = text === '' ? [] : [{ type: 'output_text', text }];
  const whole = (cut?.text ?? '') + text;
  const isDone = whole !== '' && (isLast || !isCut({ kind: begun.kind, result }));
  const done: NewEvent = {
    type: 'run.output_text.done',
    data: { item_id: cut?.itemId ?? itemIdOf(begun), text: whole },
  };
  const returned = output && 'data' in output ? [{ type: 'output_data', data: output.data }] : [];
  const refused = output && 'repair' in output ? { reason: 'output_invalid', message: shortened(output.repair) } : null;
  return {
    state: 'completed',
    ...(refused && { failure: refused }),
    result,
    quantities,
    events: [
      ...left,
      ...(isDone ? [done] : []),
      ...returned.map((data): NewEvent => ({ type: 'run.output_data.done', data })),
    ],
    output: [...texts, ...returned],
    goesOn: cut !== undefined,
  };
}

const shortened = (text: string) => storableBeginning(text, MESSAGE_CHARACTERS_MAX);

/** How a run ends with this reply of its model. Undefined: it goes on. */
export function runEndingOf(
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
    case 'timeout':
    case 'limit':
      return endOfLimit(outcome, run);
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

/** How a run ends whose call of the model was stopped before its own end. Undefined: it was not, or the run may pause. */
export function endOfLimit(outcome: ModelReply['outcome'], run: RunRow): RunEnding | undefined {
  if (outcome === 'stopped') return { status: 'cancelled' };
  if (outcome === 'timeout') return { status: 'limit_reached', limit: 'timeout' };
  if (outcome !== 'limit' || (run.on_limit === 'pause' && canBeRaised(run))) return undefined;
  return { status: 'limit_reached', limit: 'cost' };
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
