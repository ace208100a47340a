import { unsupportedParameter } from './requestError.ts';
import type { ChatMessage } from './schema.ts';

/** @throws RequestError 400 for a content part that is not text. */
export function checkReadable(messages: ChatMessage[]): void {
  messages.forEach(textOf);
}

/** @throws RequestError 400 for a content part that is not text. */
export function textOf(message: ChatMessage, index: number): string {
  if (!message.content) return message.refusal ?? '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part, at) => partText(part, `messages[${index}].content[${at}].type`)).join('');
}

type Part = Exclude<ChatMessage['content'], string | null | undefined>[number];

function partText({ type, text, refusal }: Part, param: string): string {
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'refusal' && typeof refusal === 'string') return refusal;
  throw unsupportedParameter(param, `this model reads text only, not '${type}' parts`);
}
