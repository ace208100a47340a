import { z } from 'zod';
import { RequestError, unsupportedParameter } from './requestError.ts';

const samplingMembers = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  // 64 bits; the last ones are lost, because the sampler takes 32.
  seed: z.number().multipleOf(1).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
};

const CHOICES_MAX = 16;

const answerMembers = {
  model: z.string(),
  n: z.int().min(1).max(CHOICES_MAX).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  max_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({
      include_usage: z.boolean().nullish(),
      continuous_usage_stats: z.boolean().nullish(),
      include_obfuscation: z.literal(false).nullish(),
    })
    .nullish(),
  user: z.string().nullish(),
};

const called = z.looseObject({ name: z.string(), arguments: z.string() });

const ChatMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z
    .union([
      z.string(),
      z.array(z.looseObject({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() })),
    ])
    .nullish(),
  name: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  tool_calls: z.array(z.looseObject({ id: z.string(), function: called })).nullish(),
  function_call: called.nullish(),
});

const ChatTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const namedFunction = z.looseObject({ name: z.string() });

export const ChatInput = z.strictObject({
  ...samplingMembers,
  ...answerMembers,
  messages: z.array(ChatMessage).min(1),
  max_completion_tokens: z.int().min(1).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text') }),
      z.looseObject({ type: z.literal('json_object') }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ name: z.string(), schema: z.record(z.string(), z.unknown()) }),
      }),
    ])
    .nullish(),
  tools: z.array(ChatTool).max(128).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: namedFunction }),
      z.looseObject({
        type: z.literal('allowed_tools'),
        allowed_tools: z.looseObject({
          mode: z.enum(['auto', 'required']),
          tools: z.array(z.looseObject({ type: z.literal('function'), function: namedFunction })).min(1),
        }),
      }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  modalities: z.tuple([z.literal('text')]).nullish(),
  // A model without reasoning gives the same answer at any effort, so ignoring this changes nothing.
  reasoning_effort: z.string().nullish(),
  // OpenAI's default.
  verbosity: z.literal('medium').nullish(),
  // Labels for the caller's own records and routing; no vendor passes them to a model.
  metadata: z.unknown().optional(),
  store: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
  prompt_cache_options: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
});

export const CompletionInput = z.strictObject({
  ...samplingMembers,
  ...answerMembers,
  prompt: z
    .union([z.string(), z.array(z.string()).min(1), z.array(z.int()).min(1), z.array(z.array(z.int()).min(1)).min(1)])
    .nullish(),
  // An empty output is useful with echo: it scores a given text.
  max_tokens: z.int().min(0).nullish(),
  logprobs: z.int().min(0).max(5).nullish(),
  echo: z.boolean().nullish(),
  best_of: z.literal(1).nullish(),
});

export const EmbeddingInput = z.strictObject({
  model: z.string(),
  input: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(1).max(2048),
    z.array(z.int()).min(1),
    z.array(z.array(z.int()).min(1)).min(1).max(2048),
  ]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).nullish(),
  user: z.string().nullish(),
});

export type ChatInput = z.infer<typeof ChatInput>;
export type ChatMessage = z.infer<typeof ChatMessage>;
export type ChatTool = z.infer<typeof ChatTool>;
export type CompletionInput = z.infer<typeof CompletionInput>;
export type EmbeddingInput = z.infer<typeof EmbeddingInput>;

/**
 * The body in its schema's type. Unknown members are refused by name, because ignoring one could change the answer.
 * @throws RequestError 400 `unsupported_parameter` or `invalid_value`, with the member as `param`.
 */
export function parseInput<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') throw unsupportedParameter(pathText([...issue.path, issue.keys[0]!]));
  const param = pathText(issue.path);
  // OpenAI's schema allows other values, but this model draws one candidate, has one style of speaking and hides nothing.
  if (param === 'stream_options.include_obfuscation') throw unsupportedParameter(param, 'only false is possible');
  if (param === 'best_of') throw unsupportedParameter(param, 'only 1 is possible');
  if (param === 'verbosity') throw unsupportedParameter(param, "only 'medium' is possible");
  if (/^tools\[\d+\]\.type$/.test(param)) throw unsupportedParameter(param, 'this model calls functions only');
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    throw new RequestError(400, 'missing_required_parameter', `Missing required parameter: '${param}'.`, param);
  if (param === 'n' && issue.code === 'too_big')
    throw new RequestError(400, 'integer_above_max_value', N_SENTENCE, param);
  throw new RequestError(
    400,
    'invalid_value',
    `Invalid value for '${param || 'body'}': ${issue.message}.`,
    param || null,
  );
}

const N_SENTENCE = `Invalid 'n': integer above maximum value. Expected a value <= ${CHOICES_MAX} for this model.`;

function pathText(path: PropertyKey[]): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('');
}

/** Usage as OpenAI's answers carry it. */
export function usageOf(promptTokens: number, completionTokens: number) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

export interface StreamOptions {
  include_usage?: boolean | null;
  continuous_usage_stats?: boolean | null;
}

/** When a stream's chunks carry usage: running totals on each unless refused, so that a truncated stream can be billed exactly. */
export function usagePlan(options: StreamOptions | null | undefined): { isAsked: boolean; isRunning: boolean } {
  const isAsked = options?.include_usage === true;
  return { isAsked, isRunning: options?.continuous_usage_stats ?? isAsked };
}
