import { z } from 'zod';
import * as parameter from '../parameters/parameters.ts';
import { responseItem } from './responseItem.ts';

const tool = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('function'),
    name: parameter.functionName,
    description: z.string().nullish(),
    parameters: parameter.jsonSchema.nullish(),
    strict: z.boolean().nullish(),
  }),
  parameter.closed({
    type: z.literal('custom'),
    name: parameter.functionName,
    description: z.string().nullish(),
    format: z
      .discriminatedUnion('type', [
        parameter.closed({ type: z.literal('text') }),
        parameter.closed({ type: z.literal('grammar'), definition: z.string(), syntax: z.enum(['lark', 'regex']) }),
      ])
      .nullish(),
  }),
]);

const functionChoice = parameter.closed({ type: z.literal('function'), name: z.string() });
const customChoice = parameter.closed({ type: z.literal('custom'), name: z.string() });
const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    functionChoice,
    customChoice,
    parameter.closed({
      type: z.literal('allowed_tools'),
      mode: z.enum(['auto', 'required']),
      tools: z.array(z.discriminatedUnion('type', [functionChoice, customChoice])),
    }),
  ]),
]);

const textFormat = z.discriminatedUnion('type', [
  parameter.closed({ type: z.literal('text') }),
  parameter.closed({ type: z.literal('json_object') }),
  parameter.closed({
    type: z.literal('json_schema'),
    name: parameter.functionName,
    description: z.string().nullish(),
    schema: parameter.jsonSchema,
    strict: z.boolean().nullish(),
  }),
]);

const summary = z.enum(['auto', 'concise', 'detailed']);

// Earlier reasoning is not given to the model again, and there is one way of reasoning: other values are refused.
const reasoning = parameter.closed({
  effort: parameter.reasoningEffort.nullish(),
  summary: summary
    .nullish()
    .describe(
      'With any value, the reasoning of the model is the `summary` of its item, in full, instead of its `content`.',
    ),
  generate_summary: summary.nullish(),
  context: z.enum(['auto', 'current_turn']).nullish(),
  mode: z.enum(['standard']).nullish(),
});

/**
 * Body of `POST /responses`. Members that are not listed reach the model unchanged; within members that are translated for it, unlisted
 * ones are refused by name. Built-in tools would need several model calls, so they are not among the values.
 */
export const ResponsesInput = z.looseObject({
  model: parameter.model,
  input: z.union([z.string(), z.array(responseItem).min(1)]),
  instructions: z.string().optional(),
  max_output_tokens: parameter.outputTokens.optional(),
  temperature: parameter.temperature.optional(),
  top_p: parameter.topP.optional(),
  top_logprobs: parameter.topLogprobs.optional(),
  tools: z.array(tool).max(128).optional(),
  tool_choice: toolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  text: parameter.closed({ format: textFormat.nullish(), verbosity: parameter.verbosity.nullish() }).optional(),
  reasoning: reasoning.optional(),
  include: z.array(z.enum(['reasoning.encrypted_content', 'message.output_text.logprobs'])).optional(),
  truncation: z.enum(['auto', 'disabled']).optional(),
  max_tool_calls: z.int().min(1).optional().describe('Limits calls of built-in tools, of which this service has none.'),
  stream: z.boolean().optional(),
  stream_options: parameter.closed({ include_obfuscation: z.boolean().nullish() }).optional(),
  store: z.boolean().optional(),
  metadata: parameter.metadata.optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
  service_tier: z.string().optional(),
});

/** A valid body of `POST /responses`. */
export type ResponsesRequest = z.infer<typeof ResponsesInput>;
