import type { Json } from '../../providers/provider.ts';

/** Where a chat stands: what was asked last, and what tools have said since. */
export interface Turn {
  question: string;
  /** Whether the caller offers a tool of that name. */
  has(tool: string): boolean;
  /** What the tool said last since the question, or undefined when it was not called. */
  resultOf(tool: string): string | undefined;
}

/** Reads the body of a chat completion. */
export function turnOf(body: Json): Turn {
  const messages = body.messages as Json[];
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const since = messages.slice(asked + 1);
  const tools = new Set(((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name));
  return {
    question: textOf(messages[asked]?.content),
    has: (tool) => tools.has(tool),
    resultOf: (tool) => {
      const ids = callIdsOf(since, tool);
      const answer = since.findLast(({ role, tool_call_id }) => role === 'tool' && ids.has(tool_call_id as string));
      return answer && textOf(answer.content);
    },
  };
}

function callIdsOf(messages: Json[], tool: string): Set<string> {
  const calls = messages.flatMap(
    ({ tool_calls }) => (tool_calls ?? []) as { id: string; function: { name: string } }[],
  );
  return new Set(calls.filter((item) => item.function.name === tool).map(({ id }) => id));
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as Json[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}
