import { storableText } from '../../base/json.ts';
import { reasoningIn } from '../../providers/metering/producedText.ts';
import type { Json } from '../../providers/provider.ts';
import type { AnswerPiece } from './answerWriter.ts';

// Bounds the memory for malformed upstream output. Far fewer calls are run: see CALLS_AT_ONCE_MAX.
const CALLS_READ_MAX = 1_000;

/** A call of a tool, as the model wrote it. */
export interface CalledTool {
  id: string;
  name: string;
  arguments: string;
  /** A limit cut the arguments after this many characters. */
  cutAfter?: number;
}

export type ChatAnswer = ReturnType<typeof createChatAnswer>;

/** Assembles a streamed chat answer. */
export function createChatAnswer() {
  let text = '';
  let reasoning = '';
  let finishReason: string | null = null;
  const calls = new Map<number, CalledTool>();

  function take(chunk: Json): void {
    const choice = ((chunk.choices ?? []) as Json[])[0];
    if (!choice) return;
    finishReason = (choice.finish_reason as string | null | undefined) ?? finishReason;
    const delta = (choice.delta ?? {}) as Json;
    for (const call of (delta.tool_calls ?? []) as CallDelta[]) addCall(call);
    text += textIn(delta.content) + textIn(delta.refusal);
    reasoning += storableText(reasoningIn(delta));
  }

  /** Reads chunks; returns the added text and reasoning. */
  function push(chunks: Json[]): AnswerPiece {
    const [textStart, reasoningStart] = [text.length, reasoning.length];
    for (const chunk of chunks) take(chunk);
    return { text: text.slice(textStart), reasoning: reasoning.slice(reasoningStart) };
  }

  function addCall({ index, id, function: called }: CallDelta): void {
    const place = index ?? 0;
    if (!calls.has(place) && calls.size >= CALLS_READ_MAX) return;
    const call = calls.get(place) ?? { id: '', name: '', arguments: '' };
    calls.set(place, call);
    if (id) call.id = textIn(id);
    call.name += textIn(called?.name);
    call.arguments += textIn(called?.arguments);
  }

  return {
    push,
    text: () => text,
    calls: (): CalledTool[] => [...calls].toSorted(([one], [other]) => one - other).map(([, call]) => call),
    finishReason: () => finishReason,
  };
}

interface CallDelta {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
}

// The model's output may be malformed, which must not fail the run.
const textIn = (value: unknown): string => (typeof value === 'string' ? storableText(value) : '');
