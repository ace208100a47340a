import { isObject } from '../../base/json.ts';

/** Everything a model wrote in one message, delta or completion choice: text, reasoning, refusals and calls count as output. */
export function producedTextOf(choice: unknown): string {
  if (!isObject(choice)) return '';
  const part = [choice.delta, choice.message].find(isObject) ?? choice;
  let text = textIn(part.content) + textIn(part.text) + reasoningIn(part) + textIn(part.refusal);
  if (Array.isArray(part.tool_calls)) for (const call of part.tool_calls) text += calledIn(call);
  return text;
}

/** The upstream's reason why a choice ended; null while none has. Of several choices the first one that has ended counts. */
export function finishReasonIn(choices: readonly unknown[]): string | null {
  for (const choice of choices) {
    const reason = isObject(choice) && choice.finish_reason;
    if (typeof reason === 'string' && reason !== '') return reason.slice(0, FINISH_REASON_MAX);
  }
  return null;
}

// Its length is bounded because it is stored with the request.
const FINISH_REASON_MAX = 64;

/** The reasoning in a message or delta: upstreams use one of two member names, some use both. */
export function reasoningIn({ reasoning_content, reasoning }: Record<string, unknown>): string {
  return textIn(reasoning_content ?? reasoning);
}

function calledIn(call: unknown): string {
  if (!isObject(call)) return '';
  const called = isObject(call.function) ? call.function : {};
  const custom = isObject(call.custom) ? call.custom : {};
  return textIn(called.name) + textIn(called.arguments) + textIn(custom.name) + textIn(custom.input);
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
