import type { z } from 'zod';
import type { ResponseAnswer } from './responseAnswer.ts';
import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import type { Response, CustomTool, FunctionTool, ResponseTextConfig } from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import { newId } from '../../../db/ids.ts';
import { ITEM_HOURS } from '../../../db/answers/responseItems.ts';
import { reasoningIn } from '../../../providers/metering/producedText.ts';
import type { Json } from '../../../providers/provider.ts';
import { knownTier, wholeCalls } from '../chat/vendorForms.ts';
import type { AnswerIdentity } from '../presenter.ts';
import { type BilledUsage, costOf } from '../usage.ts';
import {
  customCallItem,
  functionCallItem,
  logprobsOf,
  messageItem,
  reasoningItem,
  reasoningPart,
  textPart,
  type ApprovalItem,
  type ItemStatus,
  type MessagePart,
  type OutputItem,
} from './outputItems.ts';
import type { ResponsesRequest } from './responsesInput.ts';

type Answer = z.infer<typeof ResponseAnswer>;
type OwnMembers = Pick<
  Answer,
  'completed_at' | 'expires_at' | 'status' | 'incomplete_details' | 'store' | 'usage' | 'service_tier'
>;

/** A response as it is sent: `output_text` is added by the clients themselves, `usage` is null until it is known. */
export type PresentedResponse = Omit<Response, 'output_text' | 'output' | keyof OwnMembers> &
  OwnMembers & { output: OutputItem[] };

/** The upstream's whole chat answer as the response to the request that `echo` repeats. */
export function presentResponse(
  reply: Json,
  answer: AnswerIdentity & { echo: ResponseEcho; usage: BilledUsage },
): PresentedResponse {
  const choice: Partial<ChatCompletion.Choice> = (reply as Partial<ChatCompletion>).choices?.[0] ?? {};
  const ending = endingOf(choice.finish_reason);
  return {
    ...responseSkeleton(answer),
    ...ending,
    ...completion(ending.status, reply.service_tier, answer.aheadMs),
    output: outputOf(choice, ending.status, answer.echo.reasoning),
    usage: responseUsage(answer.usage),
  };
}

/** A response before the model has produced anything. */
export function responseSkeleton({
  id,
  created,
  modelId,
  echo,
}: AnswerIdentity & { echo: ResponseEcho }): PresentedResponse {
  return {
    id,
    object: 'response',
    created_at: created,
    completed_at: null,
    status: 'in_progress',
    model: modelId,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
    ...echo,
    expires_at: echo.store ? created + ITEM_HOURS * 3_600 : null,
    access_programs: null,
    background: false,
    previous_response_id: null,
  };
}

/** How a chat finish reason ends a response. */
export function endingOf(finishReason: string | null | undefined): {
  status: 'completed' | 'incomplete';
  incomplete_details: Answer['incomplete_details'];
} {
  if (finishReason === 'length') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (finishReason === 'content_filter')
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  return { status: 'completed', incomplete_details: null };
}

/** Fields known only at the end: when the answer was complete, and the service tier that the upstream reports. */
export function completion(
  status: ItemStatus,
  tier: unknown,
  aheadMs = 0,
): Partial<Pick<Answer, 'completed_at' | 'service_tier'>> {
  return {
    ...(status === 'completed' && { completed_at: Math.floor((Date.now() + aheadMs) / 1000) }),
    ...(knownTier(tier) && { service_tier: knownTier(tier) }),
  };
}

/** A usage in the Responses API's terms. */
export function responseUsage(usage: BilledUsage): NonNullable<Answer['usage']> {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedInputTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...costOf(usage),
  };
}

/** Reasoning first, then text, then calls. An answer with none of them is an empty text. */
function outputOf(
  { message, logprobs }: Partial<ChatCompletion.Choice>,
  status: ItemStatus,
  asked: Reasoning | null = null,
): OutputItem[] {
  const { content, refusal, tool_calls: calls }: Partial<ChatCompletionMessage> = message ?? {};
  const reasoning = reasoningIn((message ?? {}) as Json);
  const items: OutputItem[] = [];
  if (reasoning) items.push(reasoningItem(newId('rs'), 'completed', [reasoningPart(asked, reasoning)]));
  const parts: MessagePart[] = [];
  const approvals = approvalsIn(message);
  if (content || !(refusal || reasoning || calls?.length || approvals.length > 0))
    parts.push(textPart(content ?? '', logprobsOf(logprobs)));
  if (refusal) parts.push({ type: 'refusal', refusal });
  if (parts.length > 0) items.push(messageItem(newId('msg'), 'completed', parts));
  for (const call of wholeCalls(calls) ?? []) items.push(callItem(call));
  // Only the last item can be incomplete.
  const last = items.at(-1);
  if (last && 'status' in last) last.status = status;
  return [...items, ...approvals];
}

/** The approvals that an agent's answer asks for. */
export const approvalsIn = (message: object | undefined): ApprovalItem[] =>
  message && 'approvals' in message ? (message.approvals as ApprovalItem[]) : [];

function callItem({ id: call_id, ...call }: ChatCompletionMessageToolCall): OutputItem {
  if (call.type === 'custom') return customCallItem(newId('ctc'), 'completed', { call_id, ...call.custom });
  const { name, arguments: args } = call.function;
  return functionCallItem(newId('fc'), 'completed', { call_id, name, arguments: args });
}

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
  const { effort, summary, generate_summary } = input.reasoning ?? {};
  return {
    instructions: input.instructions ?? null,
    max_output_tokens: input.max_output_tokens ?? null,
    max_tool_calls: input.max_tool_calls ?? null,
    metadata: input.metadata ?? {},
    parallel_tool_calls: input.parallel_tool_calls ?? true,
    reasoning: { effort: effort ?? null, summary: summary ?? generate_summary ?? null },
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
