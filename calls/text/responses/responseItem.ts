import { z } from 'zod';
import { ITEM_HOURS } from '../../../db/answers/responseItems.ts';
import { closed, fileId, refused } from '../parameters/parameters.ts';

const promptCacheBreakpoint = closed({ mode: z.literal('explicit'), ttl: z.enum(['30m', '12h']).optional() }).nullish();

const inputText = closed({
  type: z.literal('input_text'),
  text: z.string(),
  prompt_cache_breakpoint: promptCacheBreakpoint,
});
const outputText = closed({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.unknown().optional(),
  logprobs: z.unknown().optional(),
  parsed: z.unknown().optional().describe('Added by clients that parse answers.'),
});
const refusal = closed({ type: z.literal('refusal'), refusal: z.string() });
const inputImage = closed({
  type: z.literal('input_image'),
  file_id: fileId,
  image_url: z.string().nullish().describe('An address or a data: URL.'),
  detail: z.enum(['auto', 'low', 'high', 'original']).nullish(),
  prompt_cache_breakpoint: promptCacheBreakpoint,
});
const inputFile = closed({
  type: z.literal('input_file'),
  file_id: fileId,
  file_url: refused,
  file_data: z.string().nullish().describe('The file as a data: URL.'),
  filename: z.string().nullish(),
  detail: z.enum(['auto']).nullish(),
  prompt_cache_breakpoint: promptCacheBreakpoint,
});

/** What a tool has returned: a text, or parts. */
const toolOutput = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [inputText, inputImage, inputFile])).min(1),
]);

const part = z.discriminatedUnion('type', [inputText, outputText, refusal, inputImage, inputFile]);

/** Metadata of earlier output that clients send back. The model does not get it. */
const labels = {
  id: z.unknown().optional(),
  status: z.unknown().optional(),
  created_by: z.unknown().optional(),
};

const message = closed({
  ...labels,
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(part).min(1)]),
  phase: z.unknown().optional(),
});

/** Calls by programs and namespaced tools are not offered, so no call can come from one. */
const direct = {
  caller: z.looseObject({ type: z.literal('direct') }).nullish(),
  namespace: refused,
};

const functionCall = closed({
  ...labels,
  ...direct,
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  async: z.literal(false).nullish(),
  parsed_arguments: z.unknown().optional().describe('Added by clients that parse answers.'),
});

const functionCallOutput = closed({
  ...labels,
  ...direct,
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: toolOutput,
  name: z.string().nullish(),
});

const customToolCall = closed({
  ...labels,
  ...direct,
  type: z.literal('custom_tool_call'),
  call_id: z.string(),
  name: z.string(),
  input: z.string(),
  async: z.literal(false).nullish(),
});

const customToolCallOutput = closed({
  ...labels,
  ...direct,
  type: z.literal('custom_tool_call_output'),
  call_id: z.string(),
  output: toolOutput,
});

const approvalRequest = closed({
  ...labels,
  type: z.literal('mcp_approval_request'),
  arguments: z.string(),
  name: z.string(),
  server_label: z.string(),
});

const approvalResponse = closed({
  ...labels,
  type: z.literal('mcp_approval_response'),
  approval_request_id: z.string().describe('Of the `mcp_approval_request` in the answer of an agent.'),
  approve: z.boolean(),
  reason: z.string().max(2_000).nullish().describe('Of a refusal: the agent’s model reads it.'),
});

const reasoning = z.looseObject({ type: z.literal('reasoning') });

const itemReference = closed({
  type: z.literal('item_reference'),
  id: z
    .string()
    .min(1)
    .describe(`Id of an output item of the last ${ITEM_HOURS} hours, of a response whose \`store\` was not false.`),
});

/** One item of a response's input: a message (its type is optional), or earlier output sent back. */
export const responseItem = z.discriminatedUnion('type', [
  message,
  functionCall,
  functionCallOutput,
  customToolCall,
  customToolCallOutput,
  approvalRequest,
  approvalResponse,
  reasoning,
  itemReference,
]);

export type ResponsePart = z.infer<typeof part>;
export type ResponseMessage = z.infer<typeof message>;
export type ResponseItem = z.infer<typeof responseItem>;
