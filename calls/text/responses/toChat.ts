import type {
  ChatCompletionCreateParams,
  ChatCompletionCustomTool,
  ChatCompletionFunctionTool,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import type { Json } from '../../../providers/provider.ts';
import type { ResponsesRequest } from './responsesInput.ts';
import { toMessages } from './toMessages.ts';

type Chat = ChatCompletionCreateParams;

/**
 * The chat request for a Responses request. `rest` holds the members that are passed on unchanged. Members without a value are undefined,
 * so the JSON leaves them out.
 */
export function toChat(input: ResponsesRequest, rest: Json): Json {
  const hasTools = (input.tools ?? []).length > 0;
  const chat: Omit<Chat, 'service_tier'> & { service_tier?: string } = {
    ...rest,
    model: input.model,
    messages: toMessages(input.instructions, input.input),
    stream: input.stream,
    max_completion_tokens: input.max_output_tokens,
    temperature: input.temperature,
    top_p: input.top_p,
    ...logprobsOf(input),
    tools: hasTools ? toolsOf(input) : undefined,
    tool_choice: toolChoiceOf(input, hasTools),
    parallel_tool_calls: hasTools ? input.parallel_tool_calls : undefined,
    response_format: formatOf(input),
    verbosity: input.text?.verbosity ?? undefined,
    reasoning_effort: input.reasoning?.effort ?? undefined,
    user: input.user,
    safety_identifier: input.safety_identifier,
    service_tier: input.service_tier,
  };
  return withoutUndefined(chat);
}

function logprobsOf({ include, top_logprobs }: ResponsesRequest): Pick<Chat, 'logprobs' | 'top_logprobs'> {
  const wanted = include?.includes('message.output_text.logprobs') === true || (top_logprobs ?? 0) > 0;
  return wanted ? { logprobs: true, top_logprobs } : {};
}

function toolsOf({ tools }: ResponsesRequest): Chat['tools'] {
  return tools?.map((tool) => (tool.type === 'custom' ? customToolOf(tool) : functionToolOf(tool)));
}

type Tool = NonNullable<ResponsesRequest['tools']>[number];

function functionToolOf({
  type,
  name,
  description,
  parameters,
  strict,
  ...rest
}: Extract<Tool, { type: 'function' }>): ChatCompletionFunctionTool {
  const members = {
    ...rest,
    name,
    description: description ?? undefined,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
  };
  return { type, function: withoutUndefined(members) as { name: string } };
}

/** Chat has the same tool, but nests its grammar. */
function customToolOf({
  type,
  name,
  description,
  format,
}: Extract<Tool, { type: 'custom' }>): ChatCompletionCustomTool {
  const { type: kind, ...grammar } = format ?? { type: 'text' as const };
  const members = {
    name,
    description: description ?? undefined,
    format: kind === 'grammar' ? { type: kind, grammar } : (format ?? undefined),
  };
  return { type, custom: withoutUndefined(members) as unknown as ChatCompletionCustomTool['custom'] };
}

/** Clients send `auto` and `none` without tools too; chat refuses a tool choice without tools. */
function toolChoiceOf(
  { tool_choice: choice }: ResponsesRequest,
  hasTools: boolean,
): ChatCompletionToolChoiceOption | undefined {
  if (choice === undefined || (!hasTools && (choice === 'auto' || choice === 'none'))) return undefined;
  if (typeof choice === 'string') return choice;
  if (choice.type !== 'allowed_tools') return namedTool(choice);
  const tools = choice.tools.map(namedTool);
  return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools } };
}

function namedTool({ type, name }: { type: 'function' | 'custom'; name: string }) {
  return type === 'custom' ? { type, custom: { name } } : { type, function: { name } };
}

function formatOf({ text }: ResponsesRequest): Chat['response_format'] {
  const format = text?.format ?? { type: 'text' as const };
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: 'json_object' };
  const { type, name, schema, description, strict } = format;
  return { type, json_schema: { name, schema, description: description ?? undefined, strict: strict ?? undefined } };
}

function withoutUndefined(members: object): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
