import { isObject } from '../../base/json.ts';
import type { Json } from '../provider.ts';

/** Everything a model wrote in one message, delta or completion choice: text, reasoning, refusals and calls count as output. */
export function producedTextOf(choice: unknown): string {
  if (!isObject(choice)) return '';
  const part = [choice.delta, choice.message].find(isObject) ?? choice;
  let text = textIn(part.content) + textIn(part.text) + reasoningIn(part) + textIn(part.refusal);
  if (Array.isArray(part.tool_calls)) for (const call of part.tool_calls) text += calledIn(call);
  return text;
}

/**
 * A chunk's choice with only the beginning of its text; null if nothing is left. Other members are dropped: they may repeat the text, and
 * a partial tool call cannot be carried out.
 */
export function shortenChoice(choice: Json, beginning: string): Json | null {
  const part = isObject(choice.delta) ? choice.delta : choice;
  const texts = {
    content: part.content,
    text: part.text,
    [reasoningNameIn(part)]: reasoningIn(part),
    refusal: part.refusal,
  };
  const shortened: Json = part.role === undefined ? {} : { role: part.role };
  let left = beginning.length;
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text !== 'string' || text === '' || left === 0) continue;
    shortened[name] = text.slice(0, left);
    left = Math.max(0, left - text.length);
  }
  if (left === beginning.length) return null;
  const rest = { index: choice.index, logprobs: null, finish_reason: null };
  return part === choice ? { ...shortened, ...rest } : { delta: shortened, ...rest };
}

/** The upstream's reason why a choice ended; null while every choice is open. Of several choices, the first ended one counts. */
export function finishReasonIn(choices: readonly unknown[]): string | null {
  for (const choice of choices) {
    const reason = isObject(choice) && choice.finish_reason;
    if (typeof reason === 'string' && reason !== '') return reason.slice(0, FINISH_REASON_MAX);
  }
  return null;
}

// Limited in length, because it is stored with the request.
const FINISH_REASON_MAX = 64;

/** The reasoning in a message or delta: upstreams use either of two member names, or both. */
export function reasoningIn({ reasoning_content, reasoning }: Record<string, unknown>): string {
  return textIn(reasoning_content ?? reasoning);
}

const reasoningNameIn = ({ reasoning_content }: Json) =>
  (reasoning_content ?? null) === null ? 'reasoning' : 'reasoning_content';

function calledIn(call: unknown): string {
  if (!isObject(call)) return '';
  const called = isObject(call.function) ? call.function : {};
  const custom = isObject(call.custom) ? call.custom : {};
  return textIn(called.name) + textIn(called.arguments) + textIn(custom.name) + textIn(custom.input);
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
