import { z } from 'zod';
import { run } from '../chat/chatAnswer.ts';
import { cost } from '../usage.ts';
import { ITEM_HOURS } from '../../../db/answers/responseItems.ts';

const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']);
const part = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(z.looseObject({})),
    logprobs: z.array(z.looseObject({ token: z.string(), logprob: z.number() })),
  }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);

const item = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    id: z.string(),
    status: itemStatus,
    role: z.literal('assistant'),
    content: z.array(part),
  }),
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    status: itemStatus,
    call_id: z.string(),
    name: z.string(),
    arguments: z.string().describe('JSON, as the model wrote it.'),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    id: z.string(),
    status: itemStatus,
    call_id: z.string(),
    name: z.string(),
    input: z.string(),
  }),
  z
    .object({
      type: z.literal('mcp_approval_request'),
      id: z.string(),
      name: z.string(),
      arguments: z.string(),
      server_label: z.string(),
    })
    .describe(
      'With an agent as the model: the run waits. Answer by `mcp_approval_response` at the end of the next input.',
    ),
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    status: itemStatus,
    summary: z
      .array(z.object({ type: z.literal('summary_text'), text: z.string() }))
      .describe('The reasoning, where `reasoning.summary` asks for it; otherwise it is the `content`.'),
    content: z.array(z.object({ type: z.literal('reasoning_text'), text: z.string() })),
  }),
]);

/** A response, whole, growing or failed. */
export const ResponseAnswer = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int().describe('Seconds since 1970.'),
  completed_at: z.int().nullable(),
  service_tier: z.string().optional(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  model: z.string(),
  output: z.array(item),
  usage: z
    .object({
      input_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
      output_tokens: z.int().describe('Reasoning tokens included: they are billed as output.'),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
      cost,
    })
    .nullable(),
  run,
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
  instructions: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.boolean(),
  temperature: z.number().nullable(),
  top_p: z.number().nullable(),
  text: z.looseObject({}),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
  tools: z.array(z.looseObject({ type: z.string() })),
  store: z
    .boolean()
    .describe(
      `Whether the response and its items are kept for ${ITEM_HOURS} hours, for reading and for requests that refer to them.`,
    ),
  expires_at: z.int().nullable().describe('Until when it is kept; null when `store` is false.'),
});

/** One event of a response stream, named by its type in the `event:` line too. */
export const ResponseEvent = z
  .looseObject({
    type: z.enum([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.refusal.delta',
      'response.refusal.done',
      'response.reasoning_text.delta',
      'response.reasoning_text.done',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
      'response.incomplete',
      'response.failed',
    ]),
    sequence_number: z.int().min(0).describe('Rises by one with each event.'),
    response: ResponseAnswer.optional(),
    item: item.optional(),
    item_id: z.string().optional(),
    output_index: z.int().optional(),
    content_index: z.int().optional(),
    summary_index: z.int().optional(),
    part: z.looseObject({ type: z.string() }).optional(),
    delta: z.string().optional(),
  })
  .describe('One event of the stream. The last is response.completed, response.incomplete or response.failed.');
