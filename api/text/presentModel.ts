import { z } from 'zod';
import type { Model } from '../../db/catalog/catalog.ts';
import { BILLED_UNITS, MODEL_KINDS, OPTIONAL_UNITS, type CallUnit } from '../../db/catalog/catalogFile.ts';
import { usdTextOfPicos } from '../../db/money.ts';

const price = z.string();

export const ModelAnswer = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().describe('Seconds since 1970.'),
  owned_by: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum([...MODEL_KINDS, 'agent']),
  aliases: z.array(z.string()).describe('Other names that mean this model.'),
  context_length: z.int().nullable().describe('Tokens of prompt and answer; null for models that count none.'),
  max_output_tokens: z.int().nullable(),
  architecture: z.object({
    modality: z.string().describe('`text+image->text`: what it takes, and what it makes.'),
    input_modalities: z.array(z.string()),
    output_modalities: z.array(z.string()),
    tokenizer: z.string(),
  }),
  pricing: z
    .object({
      prompt: price.optional(),
      completion: price.optional(),
      input_cache_read: price.optional(),
      input_cache_write: price.optional(),
      request: price,
      input_character: price.optional(),
      output_character: price.optional(),
      audio_minute: price.optional(),
      audio_second: price.optional(),
      batch: z
        .object({ prompt: price, completion: price })
        .optional()
        .describe('The same for a line of a batch, where it differs.'),
    })
    .describe(
      'US dollars for one unit, as decimal text: a token (`prompt`, `completion`), a character, a minute, a second. `request`: what each ' +
        'call costs at least. An agent’s other prices are in `/v1/agents/{namespace}/{slug}`.',
    ),
  supported_parameters: z.array(z.string()),
  engine: z
    .string()
    .optional()
    .describe(
      'The embedded engine that answers now, for models of sound that run beside the API: a better one replaces a basic one once it has been fetched.',
    ),
  engine_ready: z
    .boolean()
    .optional()
    .describe(
      'Whether that engine is on this machine: until it has been fetched, the model answers 503 `model_unavailable`.',
    ),
});

export const ModelListAnswer = z.looseObject({ object: z.literal('list'), data: z.array(ModelAnswer) });

type Pricing = z.infer<typeof ModelAnswer>['pricing'];

/** A model in OpenAI's list form, with the members that OpenRouter adds. */
export function presentModel(model: Model): z.infer<typeof ModelAnswer> {
  const { id, created, kind, aliases } = model;
  return {
    id,
    object: 'model',
    created,
    owned_by: 'ledgerline',
    name: model.name ?? nameOf(id),
    description: model.description ?? KINDS[kind].description,
    kind,
    aliases,
    context_length: model.contextTokens || null,
    max_output_tokens: model.outputTokensMax || null,
    architecture: architectureOf(model),
    pricing: pricingOf(model),
    supported_parameters: model.supportedParameters ?? KINDS[kind].parameters,
  };
}

const nameOf = (id: string) => id.replace(/[-_/]+/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** What is shown of a model where the catalogue says nothing else. */
const KINDS: Record<Model['kind'], { description: string; input: string[]; output: string[]; parameters: string[] }> = {
  text: {
    description: 'Answers chats, continues texts and calls tools.',
    input: ['text'],
    output: ['text'],
    parameters: [
      'frequency_penalty',
      'logit_bias',
      'logprobs',
      'max_completion_tokens',
      'max_tokens',
      'n',
      'presence_penalty',
      'reasoning_effort',
      'response_format',
      'seed',
      'stop',
      'stream',
      'temperature',
      'tool_choice',
      'tools',
      'top_logprobs',
      'top_p',
    ],
  },
  embedding: {
    description: 'Turns texts into vectors whose distance shows how alike they are.',
    input: ['text'],
    output: ['embeddings'],
    parameters: ['dimensions', 'encoding_format'],
  },
  speech: {
    description: 'Speaks texts.',
    input: ['text'],
    output: ['audio'],
    parameters: ['response_format', 'speed', 'stream_format', 'voice'],
  },
  transcription: {
    description: 'Writes down what is spoken in a sound.',
    input: ['audio'],
    output: ['text'],
    parameters: ['language', 'prompt', 'response_format', 'temperature', 'timestamp_granularities'],
  },
  conversion: {
    description: 'Speaks what is spoken in a sound, with another voice.',
    input: ['audio'],
    output: ['audio'],
    parameters: ['output_format', 'remove_background_noise', 'seed', 'voice_settings'],
  },
  realtime: {
    description: 'Talks: understands what is said, and answers aloud.',
    input: ['audio', 'text'],
    output: ['audio', 'text'],
    parameters: [
      'instructions',
      'max_output_tokens',
      'output_modalities',
      'tool_choice',
      'tools',
      'turn_detection',
      'voice',
    ],
  },
};

function architectureOf({ kind, inputMediaTypes = [], tokenizer }: Model) {
  const media = inputMediaTypes.map((type) => type.split('/')[0]!);
  const input = [...new Set([...KINDS[kind].input, ...media])];
  const { output } = KINDS[kind];
  return {
    modality: `${input.join('+')}->${output.join('+')}`,
    input_modalities: input,
    output_modalities: output,
    tokenizer: tokenizer ?? 'Other',
  };
}

function pricingOf({ batchRates, ...model }: Model): Pricing {
  const pricing = livePricingOf(model);
  if (!batchRates) return pricing;
  const { prompt = '0', completion = '0' } = livePricingOf({ ...model, rates: batchRates });
  return { ...pricing, batch: { prompt, completion } };
}

function livePricingOf({ kind, rates }: Model): Pricing {
  const pricing: Pricing = { prompt: '0', completion: '0', request: '0' };
  // Cached and written tokens without a price of their own cost as much as the rest of the prompt.
  for (const unit of [...BILLED_UNITS[kind], ...(OPTIONAL_UNITS[kind] ?? [])])
    pricing[MEMBERS[unit]] = usdTextOfPicos(rates[unit] ?? rates.input_tokens ?? 0n);
  return pricing;
}

/** The member of `pricing` for each unit. */
const MEMBERS = {
  input_tokens: 'prompt',
  output_tokens: 'completion',
  cached_input_tokens: 'input_cache_read',
  cache_write_tokens: 'input_cache_write',
  input_characters: 'input_character',
  output_characters: 'output_character',
  audio_minutes: 'audio_minute',
  audio_seconds: 'audio_second',
} as const satisfies Record<CallUnit, keyof Pricing>;
