import { OF_PICTURES } from '../../base/resultFiles.ts';
import { CALLS_AT_ONCE_MAX, type RecordedStep } from '../../db/runs/steps/stepRecords.ts';
import type { Json } from '../../providers/provider.ts';

// Without this instruction a model often repeats its cut answer from the start.
const GO_ON = 'Continue exactly where you stopped.';

// With many results in one turn each still has a beginning and an end.
const RESULT_CHARS_MIN = 500;

/** The pictures that are shown, and how many characters the results of one turn may have. */
interface Shown {
  pictures: ReadonlyMap<string, Json>;
  resultsCharsMax: number;
}

/** The chat messages of a run's steps: what the last compaction left, then each answer of the model with the results of its tools. */
export function messagesOfSteps(steps: RecordedStep[], shown: Shown): Json[] {
  const last = steps.findLast((step) => step.kind === 'compaction' && step.result.through > 0);
  const compacted = last?.kind === 'compaction' ? last.result : undefined;
  const { through = 0, text = '' } = compacted ?? {};
  const left = steps.filter(({ step }) => step > through);
  return [...(compacted ? [replacementOf(text)] : []), ...left.flatMap((step) => messagesOfStep(step, left, shown))];
}

const replacementOf = (summary: string): Json => ({
  role: 'user',
  content:
    summary === ''
      ? 'Earlier messages of this task are left out.'
      : `Earlier messages of this task are replaced by this summary:\n\n${summary}`,
});

/** A long text without its middle. */
function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2);
  const cut = text.length - 2 * half;
  const [first, last] = [text.slice(0, half), text.slice(-half)];
  // Upstreams may refuse half a character.
  return `${first}\n[${cut} characters are left out here: read it in parts.]\n${last}`.toWellFormed();
}

function messagesOfStep({ kind, result }: RecordedStep, steps: RecordedStep[], shown: Shown): Json[] {
  if (kind !== 'model') return [];
  const { pictures, resultsCharsMax } = shown;
  const { text, toolCalls, outcome, repair } = result;
  if (toolCalls.length === 0) {
    // Many upstreams refuse a message without text.
    const replyText = text === '' ? [] : [{ role: 'assistant', content: text }];
    return [...replyText, ...(outcome === 'final' ? [] : [{ role: 'user', content: repair ?? GO_ON }])];
  }
  // Upstreams may refuse invalid JSON arguments, and truncated ones are long.
  const tool_calls = toolCalls.map(({ id, name, arguments: args, cutAfter }) => ({
    id,
    type: 'function',
    function: { name, arguments: cutAfter === undefined ? args : '{}' },
  }));
  const charsMax = Math.max(RESULT_CHARS_MIN, Math.floor(resultsCharsMax / toolCalls.length));
  return [
    { role: 'assistant', content: text === '' ? null : text, tool_calls },
    ...toolCalls.map(({ id, step, cutAfter, proposed }) => ({
      role: 'tool',
      tool_call_id: id,
      content:
        repair ??
        (cutAfter === undefined
          ? (proposed === undefined ? '' : CHANGED) + shortened(answerOf(step, steps, pictures), charsMax)
          : cutAnswer(cutAfter)),
    })),
    ...shownBy(toolCalls, steps, pictures),
  ];
}

/** The pictures that tools returned. Many upstreams accept only text as a tool's result, so a separate message follows. */
function shownBy(toolCalls: { step: number | null }[], steps: RecordedStep[], pictures: ReadonlyMap<string, Json>) {
  const ids = toolCalls.flatMap(({ step }) => pictureIdOf(steps.find((one) => one.step === step)) ?? []);
  const parts = ids.flatMap((id) => pictures.get(id) ?? []);
  if (parts.length === 0) return [];
  return [{ role: 'user', content: [{ type: 'text', text: OF_PICTURES }, ...parts] }];
}

/** The file of the picture in a tool's result. */
export const pictureIdOf = (step: RecordedStep | undefined): string | undefined =>
  step && step.kind !== 'model' && step.kind !== 'compaction' ? step.result.pictureId : undefined;

const CHANGED = '[The user changed the arguments of this call.]\n';

const OVER_LIMIT =
  `Error: This call was not run, because an answer may call at most ${CALLS_AT_ONCE_MAX} tools at once. ` +
  'Call it again if you still need it.';

const cutAnswer = (characters: number) =>
  `Error: The call was not run: one answer is limited, and it was cut after ${characters} characters of ` +
  'its arguments. Write in parts: several calls, each far shorter.';

function answerOf(number: number | null, steps: RecordedStep[], pictures: ReadonlyMap<string, Json>): string {
  if (number === null) return OVER_LIMIT;
  const step = steps.find((one) => one.step === number);
  if (!step || step.kind === 'model' || step.kind === 'compaction') return 'The tool was not run.';
  const { text, isError, pictureId } = step.result;
  if (pictureId && !pictures.has(pictureId)) return 'The picture is no longer shown. Read it again to see it.';
  return isError ? `Error: ${text}` : text;
}
