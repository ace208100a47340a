import { isCut, itemIdOf, type CutText } from '../../db/runs/cutText.ts';
import { MESSAGE_CHARACTERS_MAX } from '../../db/runs/steps/stepFacts.ts';
import { CALLS_AT_ONCE_MAX, type ModelResult } from '../../db/runs/steps/stepRecords.ts';
import type { BegunStep, StepEnding } from '../../db/runs/steps/steps.ts';
import type { ModelReply } from './callModel.ts';
import type { TypedOutput } from './typedOutput.ts';

export const FILTERED_ENDING = {
  status: 'failed',
  fault: 'caller',
  code: 'content_policy_violation',
  message:
    'The model stopped its answer for its content policy. Nothing was billed. Change the input and run it again.',
} as const;

/** Whether a limit cut the arguments of a call. */
export const isCutCall = ({ cutAfter }: { cutAfter?: number }): boolean => cutAfter !== undefined;

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
  const done = { type: 'run.output_text.done', data: { item_id: cut?.itemId ?? itemIdOf(begun), text: whole } };
  const returned = output && 'data' in output ? [{ type: 'output_data', data: output.data }] : [];
  const refused = output && 'repair' in output ? { reason: 'output_invalid', message: shortened(output.repair) } : null;
  return {
    state: 'completed',
    ...(refused && { failure: refused }),
    result,
    quantities,
    events: [...left, ...(isDone ? [done] : []), ...returned.map((data) => ({ type: 'run.output_data.done', data }))],
    output: [...texts, ...returned],
    goesOn: cut !== undefined,
  };
}

const shortened = (text: string) => text.slice(0, MESSAGE_CHARACTERS_MAX);
