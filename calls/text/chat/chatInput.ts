import { z } from 'zod';
import type { Json } from '../../../providers/provider.ts';
import * as parameter from '../parameters/parameters.ts';
import { refuseOddFiles } from '../parameters/filesById.ts';
import type { ParsedText } from '../parameters/parameters.ts';
import { invalidValue, unsupportedParameter } from '../../../base/errors/invalidRequest.ts';
import { refuseUnknownTool, type NamedTool } from '../parameters/namedTools.ts';
import { bodyValidator } from '../parameters/validateBody.ts';
import { refuseUnpairedTools } from './toolMessages.ts';

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const imageUrl = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string(), detail: z.enum(['auto', 'low', 'high', 'original']).nullish() }),
});
const inputAudio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
});
const file = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({
    file_id: parameter.fileId,
    file_data: z.string().nullish().describe('The file as a data: URL.'),
    filename: z.string().nullish(),
  }),
});

const textContent = z.union([z.string(), z.array(z.discriminatedUnion('type', [text])).min(1)]);
const userContent = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [text, imageUrl, inputAudio, file])).min(1),
]);
const assistantContent = z.union([z.string(), z.array(z.discriminatedUnion('type', [text, refusal]))]);

const name = z.string().nullish();

const toolCall = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('function'),
    id: z.string(),
    function: z.looseObject({ name: z.string(), arguments: z.string() }),
  }),
  z.looseObject({
    type: z.literal('custom'),
    id: z.string(),
    custom: z.looseObject({ name: z.string(), input: z.string() }),
  }),
]);

/** One message of a chat, of any role. Unknown members reach the model unchanged. */
const chatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: textContent, name }),
  z.looseObject({ role: z.literal('developer'), content: textContent, name }),
  z.looseObject({ role: z.literal('user'), content: userContent, name }),
  z.looseObject({
    role: z.literal('assistant'),
    content: assistantContent.nullish(),
    name,
    refusal: z.string().nullish(),
    audio: parameter.refused,
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content: textContent, tool_call_id: z.string() }),
  z.looseObject({ role: z.literal('function'), content: z.string().nullable(), name: z.string() }),
]);

/** Offered or chosen. */
const customTool = z.looseObject({ type: z.literal('custom'), custom: z.looseObject({ name: z.string() }) });
const tool = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('function'),
    function: z.looseObject({
      name: parameter.functionName,
      description: z.string().nullish(),
      parameters: parameter.jsonSchema.nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
  customTool,
]);

const functionChoice = z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) });
const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    functionChoice,
    customTool,
    z.looseObject({
      type: z.literal('allowed_tools'),
      allowed_tools: z.looseObject({
        mode: z.enum(['auto', 'required']),
        tools: z.array(z.discriminatedUnion('type', [functionChoice, customTool])),
      }),
    }),
  ]),
]);

const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: parameter.functionName,
      description: z.string().nullish(),
      schema: parameter.jsonSchema.nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

/**
 * Body of `POST /chat/completions`. Members that are not listed reach the model unchanged, so nothing the caller sends is lost; the model
 * may refuse them.
 */
export const ChatInput = z.looseObject({
  model: parameter.model,
  messages: z.array(chatMessage).min(1),
  modalities: z.tuple([z.literal('text')]).optional(),
  temperature: parameter.temperature.optional(),
  top_p: parameter.topP.optional(),
  n: parameter.choices.optional(),
  seed: parameter.seed.optional(),
  stop: parameter.stop.optional(),
  max_tokens: parameter.outputTokens.optional(),
  max_completion_tokens: parameter.outputTokens.optional(),
  presence_penalty: parameter.penalty.optional(),
  frequency_penalty: parameter.penalty.optional(),
  logit_bias: parameter.logitBias.optional(),
  logprobs: z.boolean().optional(),
  top_logprobs: parameter.topLogprobs.optional(),
  response_format: responseFormat.optional(),
  tools: z.array(tool).max(128).optional(),
  tool_choice: toolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  reasoning_effort: parameter.reasoningEffort.optional(),
  verbosity: parameter.verbosity.optional(),
  stream: z.boolean().optional(),
  stream_options: parameter.streamOptions.optional(),
  store: z.boolean().optional(),
  metadata: parameter.metadata.optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
  prompt_cache_key: z.string().optional(),
  service_tier: z.string().optional(),
});

/** Parameters of chat that change the answer in ways this service does not offer: a value other than null means 400. */
export const CHAT_REFUSED = ['audio', 'prediction', 'web_search_options', 'functions', 'function_call'] as const;

// OpenAI's older programs still send functions.
const instead = {
  ...parameter.INSTEAD,
  functions: "Send 'tools' instead.",
  function_call: "Send 'tool_choice' instead.",
};

const validate = bodyValidator(ChatInput, CHAT_REFUSED, { instead });

/** Checks the body of `POST /chat/completions`; throws `InvalidRequest`. */
export function parseChat(body: unknown): ParsedText {
  refuseOtherModalities(body);
  const input = validate(body);
  parameter.refuseIdleStreamOptions(input);
  refuseIdleLogprobs(input);
  refuseOtherTools(input);
  refuseUnpairedTools(input.messages);
  refuseOddFiles(input.messages, 'messages');
  parameter.refuseSurplusMetadata(input.metadata);
  return {
    model: input.model,
    stream: input.stream === true,
    includeUsage: input.stream_options?.include_usage === true,
    body: input,
    outputTokensMax: outputTokensMaxOf(input),
    choices: input.n ?? 1,
  };
}

/** Any other value is an unsupported parameter, not a wrong type: `["audio"]`, `[]` and `"text"` alike. */
function refuseOtherModalities(body: unknown): void {
  const modalities = (body as Json | null | undefined)?.modalities ?? null;
  if (modalities === null) return;
  if (!Array.isArray(modalities) || modalities.length !== 1 || modalities[0] !== 'text') {
    throw unsupportedParameter('modalities', "'modalities' other than ['text']", instead.modalities);
  }
}

function refuseOtherTools({ tools = [], tool_choice: choice }: z.input<typeof ChatInput>): void {
  if (typeof choice !== 'object') return;
  const offered = tools.map(namedTool);
  if (choice.type !== 'allowed_tools') return refuseUnknownTool(namedTool(choice), offered, 'tool_choice');
  for (const [at, allowed] of choice.allowed_tools.tools.entries())
    refuseUnknownTool(namedTool(allowed), offered, `tool_choice.allowed_tools.tools[${at}]`);
}

const namedTool = (tool: z.input<typeof functionChoice> | z.input<typeof customTool>): NamedTool => ({
  type: tool.type,
  name: tool.type === 'custom' ? tool.custom.name : tool.function.name,
});

function refuseIdleLogprobs(input: z.input<typeof ChatInput>): void {
  if (!input.top_logprobs || input.logprobs === true) return;
  throw invalidValue('top_logprobs', "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.");
}

function outputTokensMaxOf(input: z.input<typeof ChatInput>): number | null {
  const max = Math.min(input.max_tokens ?? Infinity, input.max_completion_tokens ?? Infinity);
  return max === Infinity ? null : max;
}
