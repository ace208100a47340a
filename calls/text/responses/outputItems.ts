import type {
  ResponseCustomToolCall,
  ResponseFunctionToolCallItem,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseOutputRefusal,
  ResponseOutputText,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import type { ChatCompletionTokenLogprob } from 'openai/resources/chat/completions';
import { wholeLogprobs } from '../chat/vendorForms.ts';

/** The items and parts of a response's output, complete or still growing. */
export type OutputItem =
  ResponseOutputMessage | ResponseFunctionToolCallItem | CustomToolCallItem | ResponseReasoningItem | ApprovalItem;
/** A tool's call that an agent's run makes only with its caller's approval. It has no status. */
export type ApprovalItem = ResponseOutputItem.McpApprovalRequest;
/** OpenAI sends a status here too, which its types leave out. */
export type CustomToolCallItem = ResponseCustomToolCall & { id: string; status: ItemStatus };
export type ItemStatus = ResponseOutputMessage['status'];
export type MessagePart = ResponseOutputText | ResponseOutputRefusal;
export type ReasoningPart = ResponseReasoningItem.Content;
export type SummaryPart = ResponseReasoningItem.Summary;
export type Logprob = ResponseOutputText.Logprob;

/** The model's message to the caller. */
export function messageItem(id: string, status: ItemStatus, content: MessagePart[]): ResponseOutputMessage {
  return { id, type: 'message', status, role: 'assistant', content };
}

/** A function call for the caller; `arguments` is JSON as the model wrote it. */
export function functionCallItem(
  id: string,
  status: ItemStatus,
  call: { call_id: string; name: string; arguments: string },
): ResponseFunctionToolCallItem {
  return { id, type: 'function_call', status, call_id: call.call_id, name: call.name, arguments: call.arguments };
}

/** A call of a custom (free-text) tool for the caller. */
export function customCallItem(
  id: string,
  status: ItemStatus,
  call: { call_id: string; name: string; input: string },
): CustomToolCallItem {
  return { id, type: 'custom_tool_call', status, call_id: call.call_id, name: call.name, input: call.input };
}

/** The model's reasoning: as content, or as the summary where the caller asked for one. */
export function reasoningItem(
  id: string,
  status: ItemStatus,
  parts: (ReasoningPart | SummaryPart)[],
): ResponseReasoningItem {
  const summary = parts.filter((part) => part.type === 'summary_text');
  return { id, type: 'reasoning', status, summary, content: parts.filter((part) => part.type === 'reasoning_text') };
}

/** A part of reasoning, as the request's `reasoning` asks for it. */
export const reasoningPart = (asked: Reasoning | null, text: string): ReasoningPart | SummaryPart => ({
  type: asked?.summary ? 'summary_text' : 'reasoning_text',
  text,
});

/** A part of a message, without annotations: no model here produces any. */
export function textPart(text: string, logprobs: Logprob[]): ResponseOutputText {
  return { type: 'output_text', text, annotations: [], logprobs };
}

/** The log probabilities of a chat choice or chunk, as the parts and events of a response carry them. */
export function logprobsOf(logprobs: { content: ChatCompletionTokenLogprob[] | null } | null | undefined): Logprob[] {
  return (wholeLogprobs(logprobs)?.content ?? []).map(({ top_logprobs, ...token }) => ({
    ...withBytes(token),
    top_logprobs: (top_logprobs ?? []).map(withBytes),
  }));
}

function withBytes({ token, logprob, bytes }: ChatCompletionTokenLogprob.TopLogprob) {
  return { token, logprob, bytes: bytes ?? [] };
}
