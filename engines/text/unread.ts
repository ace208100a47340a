import { unsupportedParameter } from '../../rules/protocol/requestError.ts';
import type { ChatInput } from '../../rules/protocol/schema.ts';

/**
 * Members that this model reads, and those that never change an answer: cache markers, ids, and fields that clients copy from an answer.
 */
const READ = {
  message: [
    'role',
    'content',
    'name',
    'refusal',
    'tool_call_id',
    'tool_calls',
    'function_call',
    'id',
    'annotations',
    'reasoning',
    'reasoning_content',
    'reasoning_details',
    'cache_control',
    'provider_specific_fields',
  ],
  part: ['type', 'text', 'refusal', 'role', 'annotations', 'logprobs', 'cache_control'],
  tool: ['type', 'function', 'cache_control'],
  function: ['name', 'description', 'parameters', 'strict', 'cache_control'],
};

/** Throws 400 for a member inside messages or tools that would change another model's answer, but not this model's. */
export function refuseUnread({ messages, tools }: Pick<ChatInput, 'messages' | 'tools'>): void {
  for (const [at, message] of messages.entries()) {
    const place = `messages[${at}]`;
    refuseOthers(message, READ.message, place);
    // Parts of other types are refused by their type.
    for (const [index, part] of partsOf(message.content).entries())
      if (part.type === 'text' || part.type === 'refusal') refuseOthers(part, READ.part, `${place}.content[${index}]`);
  }
  for (const [at, tool] of (tools ?? []).entries()) {
    refuseOthers(tool, READ.tool, `tools[${at}]`);
    refuseOthers(tool.function, READ.function, `tools[${at}].function`);
  }
}

const partsOf = (content: ChatInput['messages'][number]['content']) => (Array.isArray(content) ? content : []);

function refuseOthers(value: Record<string, unknown>, read: readonly string[], place: string): void {
  for (const [name, member] of Object.entries(value)) {
    const isIdle = member === null || member === undefined || member === false || member === '';
    if (!isIdle && !read.includes(name)) throw unsupportedParameter(`${place}.${name}`);
  }
}
