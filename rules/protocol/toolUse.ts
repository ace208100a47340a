import { invalidValue } from './requestError.ts';
import type { ChatInput, ChatTool } from './schema.ts';

// A small model that writes more calls than this is repeating itself.
const PARALLEL_CALLS_MAX = 4;

/**
 * The permitted kinds of answer: text, calls of these tools, or either as the model chooses: by the start of its text, or (`answerCall`)
 * by a call of the tool `answer`.
 */
export interface ToolUse {
  tools: ChatTool[];
  mode: 'text' | 'calls' | 'either' | 'answerCall';
  callsMax: number;
}

/** @throws RequestError 400 when the choice names an unknown tool. */
export function toolUseOf(input: ChatInput): ToolUse {
  const choice = input.tool_choice ?? 'auto';
  const callsMax = input.parallel_tool_calls === false ? 1 : PARALLEL_CALLS_MAX;
  if (typeof choice === 'string') return useOf(choice, input.tools ?? [], callsMax);
  if (choice.type === 'function') return { tools: named([choice], input), mode: 'calls', callsMax: 1 };
  const { mode, tools } = choice.allowed_tools;
  return useOf(mode, named(tools, input), callsMax);
}

function useOf(choice: 'none' | 'auto' | 'required', tools: ChatTool[], callsMax: number): ToolUse {
  if (choice === 'required') {
    if (tools.length === 0) throw invalidValue('tool_choice', "'required' needs at least one tool.");
    return { tools, mode: 'calls', callsMax };
  }
  if (choice === 'none' || tools.length === 0) return { tools: [], mode: 'text', callsMax: 0 };
  return { tools, mode: 'either', callsMax };
}

/** The tools of those names, in the order of the request. */
function named(wanted: { function: { name: string } }[], { tools }: ChatInput): ChatTool[] {
  const names = new Set(wanted.map((tool) => tool.function.name));
  const found = (tools ?? []).filter((tool) => names.delete(tool.function.name));
  for (const name of names) throw invalidValue('tool_choice', `'${name}' is not one of the tools.`);
  return found;
}
