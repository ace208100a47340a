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

function partText(part: { type: string; text?: string; refusal?: string }, param: string): string {
  if (part.type === 'text' && part.text !== undefined) return part.text;
  if (part.type === 'refusal' && part.refusal !== undefined) return part.refusal;
  throw unsupportedParameter(param, `this model reads text only, not '${part.type}' parts`);
}
