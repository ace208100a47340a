import { z } from 'zod';
import { UsageAnswer } from '../usage.ts';

/** What chat and completions answer: the presenters' return types, and the documentation. */

const logprob = z.object({ token: z.string(), logprob: z.number(), bytes: z.array(z.int()).nullish() });
const tokenLogprobs = z.array(logprob.extend({ top_logprobs: z.array(logprob) }));
const chatLogprobs = z.looseObject({ content: tokenLogprobs.nullish(), refusal: tokenLogprobs.nullish() }).nullable();

/** The run of an answer whose model is an agent. */
export const AgentRun = z.object({
  id: z.string(),
  session_id: z.string(),
  files: z
    .array(z.object({ file_id: z.string(), filename: z.string(), media_type: z.string(), size_bytes: z.int() }))
    .describe('What the agent has made: `GET /v1/files/{file_id}/content`.'),
});

/** The member of a whole answer that has it. */
export const run = AgentRun.optional().describe('Only of an agent in the place of a model.');

const origin = {
  system_fingerprint: z.string().nullish(),
  service_tier: z.string().nullish(),
  moderation: z.unknown().optional().describe('What the upstream found in the texts, where it was asked to look.'),
};
const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);
const created = z.int().describe('Seconds since 1970.');

const toolCall = z.discriminatedUnion('type', [
  z.looseObject({
    id: z.string(),
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string().describe('JSON, as the model wrote it.') }),
  }),
  z.looseObject({
    id: z.string(),
    type: z.literal('custom'),
    custom: z.object({ name: z.string(), input: z.string() }),
  }),
]);

export const ChatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created,
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
        tool_calls: z.array(toolCall).nullish(),
        reasoning_content: z.string().nullish().describe('The reasoning of a model that shows it.'),
      }),
      logprobs: chatLogprobs,
      finish_reason: finishReason,
    }),
  ),
  usage: UsageAnswer,
  run,
  ...origin,
});

export const ChatCompletionChunk = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created,
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        delta: z.looseObject({
          role: z.literal('assistant').optional(),
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(z.looseObject({ index: z.int().optional() })).nullish(),
        }),
        logprobs: chatLogprobs,
        finish_reason: finishReason.nullable(),
      }),
    ),
    usage: UsageAnswer.nullish().describe('Only with stream_options.include_usage: null until the last chunk.'),
    ...origin,
    obfuscation: z.string().optional(),
  })
  .describe('One `data:` event of the stream. The last event is `data: [DONE]`.');

export const Completion = z.object({
  id: z.string(),
  object: z.literal('text_completion'),
  created,
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      text: z.string(),
      logprobs: z.looseObject({}).nullable(),
      finish_reason: finishReason.nullable().describe('Null in a stream until the last chunk of the choice.'),
    }),
  ),
  usage: UsageAnswer.nullish(),
  ...origin,
});
