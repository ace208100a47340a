import { InvalidRequest } from '../../../base/errors/invalidRequest.ts';
import type { ConversationItem, InputPart } from '../../../db/runs/runRow.ts';
import type { ContentPart } from './chatFiles.ts';

/** A message of a chat request, as far as agents support it. */
export interface ChatMessage {
  role: string;
  name?: string | null;
  content?: string | ContentPart[] | null;
  refusal?: string | null;
  tool_calls?: ChatCall[] | null;
  tool_call_id?: string;
  function_call?: object | null;
}

interface ChatCall {
  id: string;
  function?: { name: string; arguments: string };
  custom?: { name: string; input: string };
}

/** The id of a file that is not stored yet. */
export const UNSTORED = 'file_0';

/** One message of a chat as items of a run's input. `ids` has the ids of the stored files in their order, and loses those it gives. */
export function itemsOf(message: ChatMessage, place: string, ids: string[]): ConversationItem[] {
  const { role, name, tool_calls: calls, tool_call_id: id } = message;
  if (role === 'tool') return [{ type: 'function_call_output', call_id: id!, output: textOf(message) }];
  if (role === 'function')
    throw new InvalidRequest('unsupported_parameter', `${place}.role`, 'Send results of tools with the role tool.');
  if (message.function_call)
    throw new InvalidRequest('unsupported_parameter', `${place}.function_call`, 'Send calls of tools as tool_calls.');
  const about = { role: role as 'user', ...(name && { name }) };
  const content = contentOf(message, ids);
  // An answer of only calls has no text, and some clients send empty instructions.
  const said: ConversationItem[] = content === '' ? [] : [{ type: 'message', ...about, content }];
  return [...said, ...(calls ?? []).map(callOf)];
}

function callOf({ id, function: called, custom }: ChatCall): ConversationItem {
  const { name, args } = called
    ? { name: called.name, args: called.arguments }
    : { name: custom!.name, args: JSON.stringify({ input: custom!.input }) };
  return { type: 'function_call', call_id: id, name, arguments: args };
}

/** The content of a message: a text, or texts and files in their order. */
export function contentOf(message: ChatMessage, ids: string[]): string | InputPart[] {
  const { content } = message;
  if (!Array.isArray(content) || !content.some(isFile)) return textOf(message);
  return content.flatMap((part): InputPart[] => {
    if (isFile(part)) return [{ type: 'input_file', file_id: ids.shift() ?? UNSTORED }];
    return part.text ? [{ type: 'input_text', text: part.text }] : [];
  });
}

const isFile = ({ type }: ContentPart): boolean => type !== 'text' && type !== 'refusal';

/** The text of a message, without its files. */
export function textOf({ content, refusal }: ChatMessage): string {
  if (!Array.isArray(content)) return content ?? refusal ?? '';
  return content.flatMap((part) => (isFile(part) ? [] : [part.text ?? part.refusal ?? ''])).join('\n');
}
