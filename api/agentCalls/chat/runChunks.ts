import type { z } from 'zod';
import type { EventText } from '../../../db/events/readEvents.ts';
import { type RunObject, wholeCostNanosOf } from '../../../db/runs/runObject.ts';
import type { Json } from '../../../providers/provider.ts';
import { ApiError } from '../../../base/errors/apiError.ts';
import type { RunOutput } from '../../runs/runAnswers.ts';
import type { BilledUsage } from '../../../calls/text/usage.ts';
import type { AgentRun } from '../../../calls/text/chat/chatAnswer.ts';

/** Separates the parts of an answer: texts of several steps, data and files. */
export const BETWEEN = '\n\n';

interface RunEvent {
  type: string;
  data: Json;
}

/** Reads a run's events as the text of a chat answer. With `isTyped` the answer is only the run's data. */
export function createRunReader({ isTyped }: { isTyped: boolean }) {
  /** The sent part of the text in progress; a step may continue the previous step's text. */
  let item: unknown;
  let sent = '';
  /** Whether the current step has written text, and whether its retry repeats it under another name. */
  let hasStepSpoken = false;
  let isAgain = false;
  let hasSpoken = false;
  let needsBreak = false;

  function say(text: string): string {
    const before = needsBreak && hasSpoken ? BETWEEN : '';
    needsBreak = false;
    hasSpoken = true;
    return before + text;
  }

  // A failed attempt may have sent a part of its text, which the retry writes from the step's beginning.
  function delta({ item_id, delta: text, offset }: { item_id: string; delta: string; offset: number }): string {
    if (item_id !== item && !isAgain) {
      sent = '';
      needsBreak = true;
    }
    item = item_id;
    isAgain = false;
    hasStepSpoken = true;
    const known = sent.slice(offset);
    if (known.startsWith(text)) return '';
    if (!text.startsWith(known)) throw interrupted();
    const more = text.slice(known.length);
    sent += more;
    return say(more);
  }

  function part(text: string): string {
    needsBreak = true;
    const said = say(text);
    needsBreak = true;
    return said;
  }

  function startStep({ kind, attempt }: Json): string {
    if (kind !== 'model') return '';
    isAgain = (attempt as number) > 1 && hasStepSpoken;
    hasStepSpoken = isAgain;
    return '';
  }

  /** The text that an event adds to the answer. */
  return function read({ json }: EventText): string {
    const { type, data } = JSON.parse(json) as RunEvent;
    if (type === 'run.output_data.done') return part(JSON.stringify(data.data));
    if (isTyped) return '';
    if (type === 'run.step.started') return startStep(data);
    if (type === 'run.output_text.delta') return delta(data as Parameters<typeof delta>[0]);
    return type === 'run.output_file.created' ? part(textOfFile(data)) : '';
  };
}

const textOfFile = ({ filename, file_id: id }: Json) =>
  `[File: ${String(filename)}, GET /v1/files/${String(id)}/content]`;

const interrupted = () =>
  new ApiError({
    status: 502,
    code: 'answer_interrupted',
    message:
      'The model failed and wrote another answer. The run goes on: read it at the address of the header location.',
    headers: { 'x-should-retry': 'false' },
  });

/** The whole answer of a run that has ended. */
export function answerTextOf({ output }: RunObject, { isTyped }: { isTyped: boolean }): string {
  const parts = (output as Json[]).map((item) => {
    if (item.type === 'output_data') return JSON.stringify(item.data);
    if (isTyped) return '';
    return item.type === 'output_file' ? textOfFile(item) : (item.text as string);
  });
  return parts.filter((text) => text !== '').join(BETWEEN);
}

/** The run behind an answer, and its files, which a typed agent's answer does not mention. */
export function runAnswerOf({ id, session_id, output }: RunObject): z.infer<typeof AgentRun> {
  const files = (output as RunOutput[]).filter((item) => item.type === 'output_file');
  return { id, session_id, files: files.map(({ type: _type, ...file }) => file) };
}

/** The tokens of a run's model, and the cost of the run and of those that it started. */
export function usageOfRun({ usage }: Pick<RunObject, 'usage'>): BilledUsage {
  const tokensOf = (meter: string) => usage.meters.find(({ id }) => id === meter)?.quantity ?? 0;
  return {
    inputTokens: tokensOf('model_input_tokens'),
    outputTokens: tokensOf('model_output_tokens'),
    chargedNanos: wholeCostNanosOf({ usage }),
  };
}

/** The finish reason of a chat whose run has ended. Throws the error of a failed run, or of a run cancelled elsewhere. */
export function finishReasonOf(run: RunObject): 'stop' | 'length' {
  if (run.status === 'completed') return 'stop';
  if (run.status === 'limit_reached') return 'length';
  if (run.status === 'cancelled')
    throw new ApiError({ status: 409, code: 'run_cancelled', message: 'The run was cancelled.', headers: NO_RETRY });
  const { message, code } = run.error as { message: string; code: string };
  throw new ApiError({ status: run.fault === 'caller' ? 400 : 502, code, message, headers: NO_RETRY });
}

// A retry would start another run.
const NO_RETRY = { 'x-should-retry': 'false' };
