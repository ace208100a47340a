import type { CustomTool, FunctionTool, Response, ResponseTextConfig } from 'openai/resources/responses/responses';
import type { ResponsesRequest } from '../schema/responsesInput.ts';

/** The request's parameters as the response repeats them, with the defaults filled in. */
export type ResponseEcho = Pick<
  Response,
  | 'instructions'
  | 'max_output_tokens'
  | 'max_tool_calls'
  | 'metadata'
  | 'parallel_tool_calls'
  | 'reasoning'
  | 'safety_identifier'
  | 'temperature'
  | 'text'
  | 'tool_choice'
  | 'tools'
  | 'top_logprobs'
  | 'top_p'
  | 'truncation'
  | 'user'
> & { store: boolean };

/** Collects these parameters. A sampling parameter that was not sent is null: the model's own default applies. */
export function responseEcho(input: ResponsesRequest): ResponseEcho {
  const { effort = null, summary = null } = input.reasoning ?? {};
  return {
    instructions: input.instructions ?? null,
    max_output_tokens: input.max_output_tokens ?? null,
    max_tool_calls: input.max_tool_calls ?? null,
    metadata: input.metadata ?? {},
    parallel_tool_calls: input.parallel_tool_calls ?? true,
    reasoning: { effort, summary },
    safety_identifier: input.safety_identifier ?? null,
    temperature: input.temperature ?? null,
    text: textOf(input),
    tool_choice: input.tool_choice ?? 'auto',
    tools: (input.tools ?? []).map(filledTool),
    top_logprobs: input.top_logprobs ?? 0,
    top_p: input.top_p ?? null,
    truncation: input.truncation ?? 'disabled',
    store: input.store ?? true,
    ...(input.user !== undefined && { user: input.user }),
  };
}

function textOf({ text }: ResponsesRequest): ResponseTextConfig {
  const format = text?.format ?? { type: 'text' as const };
  const verbosity = text?.verbosity ?? 'medium';
  if (format.type !== 'json_schema') return { format, verbosity };
  const { description, strict, ...rest } = format;
  return { format: { ...rest, strict: strict ?? false, ...(description ? { description } : {}) }, verbosity };
}

function filledTool(tool: NonNullable<ResponsesRequest['tools']>[number]): FunctionTool | CustomTool {
  if (tool.type === 'custom') {
    const { description, format, ...rest } = tool;
    return { ...rest, ...(description && { description }), format: format ?? { type: 'text' } };
  }
  const { description, parameters, strict, ...rest } = tool;
  return { ...rest, description: description ?? null, parameters: parameters ?? {}, strict: strict ?? false };
}
