import { z } from 'zod';
import type { Model } from '../../db/catalog/catalog.ts';
import { usdTextOfPicos } from '../../db/money.ts';

const price = z.string();

export const ModelAnswer = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().describe('Seconds since 1970.'),
  owned_by: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(['text', 'embedding', 'speech', 'transcription', 'conversion', 'realtime', 'agent']),
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

type Kind = Model['kind'];

/** A model in OpenAI's list form, with the members that OpenRouter adds. */
export function presentModel(model: Model): z.infer<typeof ModelAnswer> {
  const { id, created, kind, aliases } = model;
  return {
    id,
    object: 'model',
    created,
    owned_by: 'ledgerline',
    name: model.name ?? nameOf(id),
    description: model.description ?? DESCRIPTIONS[kind],
    kind,
    aliases,
    context_length: model.contextTokens || null,
    max_output_tokens: model.outputTokensMax || null,
    architecture: architectureOf(model),
    pricing: pricingOf(model),
    supported_parameters: model.supportedParameters ?? PARAMETERS[kind],
  };
}

const nameOf = (id: string) => id.replace(/[-_/]+/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const DESCRIPTIONS: Record<Kind, string> = {
  text: 'Answers chats, continues texts and calls tools.',
  embedding: 'Turns texts into vectors whose distance shows how alike they are.',
  speech: 'Speaks texts.',
  transcription: 'Writes down what is spoken in a sound.',
  conversion: 'Speaks what is spoken in a sound, with another voice.',
  realtime: 'Talks: understands what is said, and answers aloud.',
};

const INPUTS: Record<Kind, string[]> = {
  text: ['text'],
  embedding: ['text'],
  speech: ['text'],
  transcription: ['audio'],
  conversion: ['audio'],
  realtime: ['audio', 'text'],
};
const OUTPUTS: Record<Kind, string[]> = {
  text: ['text'],
  embedding: ['embeddings'],
  speech: ['audio'],
  transcription: ['text'],
  conversion: ['audio'],
  realtime: ['audio', 'text'],
};

function architectureOf({ kind, inputMediaTypes = [], tokenizer }: Model) {
  const media = inputMediaTypes.map((type) => type.split('/')[0]!);
  const input = [...new Set([...INPUTS[kind], ...media])];
  const output = OUTPUTS[kind];
  return {
    modality: `${input.join('+')}->${output.join('+')}`,
    input_modalities: input,
    output_modalities: output,
    tokenizer: tokenizer ?? 'Other',
  };
}

function pricingOf({ batchRates, ...model }: Model): z.infer<typeof ModelAnswer>['pricing'] {
  const pricing = livePricingOf(model);
  if (!batchRates) return pricing;
  const { prompt = '0', completion = '0' } = livePricingOf({ ...model, rates: batchRates });
  return { ...pricing, batch: { prompt, completion } };
}

function livePricingOf({ kind, rates }: Model): z.infer<typeof ModelAnswer>['pricing'] {
  const usd = (unit: string) => usdTextOfPicos(rates[unit] ?? 0n);
  // Cached and written tokens without a price of their own cost as much as the rest of the prompt.
  const promptPart = (unit: string) => usdTextOfPicos(rates[unit] ?? rates.input_tokens ?? 0n);
  const parts = {
    input_cache_read: promptPart('cached_input_tokens'),
    input_cache_write: promptPart('cache_write_tokens'),
  };
  switch (kind) {
    case 'text':
      return { prompt: usd('input_tokens'), completion: usd('output_tokens'), request: '0', ...parts };
    case 'embedding':
      return { prompt: usd('input_tokens'), completion: '0', request: '0' };
    case 'speech':
      return { prompt: '0', completion: '0', request: '0', input_character: usd('input_characters') };
    case 'transcription':
      return { prompt: '0', completion: '0', request: '0', audio_minute: usd('audio_minutes') };
    case 'conversion':
      return { prompt: '0', completion: '0', request: '0', audio_second: usd('audio_seconds') };
    case 'realtime':
      return {
        prompt: usd('input_tokens'),
        completion: usd('output_tokens'),
        request: '0',
        audio_minute: usd('audio_minutes'),
        output_character: usd('output_characters'),
      };
    default:
      return kind satisfies never;
  }
}

/** The inputs of a model's routes; the catalogue lists exceptions for an upstream that accepts less. */
const PARAMETERS: Record<Kind, string[]> = {
  text: [
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
  embedding: ['dimensions', 'encoding_format'],
  speech: ['response_format', 'speed', 'stream_format', 'voice'],
  transcription: ['language', 'prompt', 'response_format', 'temperature', 'timestamp_granularities'],
  conversion: ['output_format', 'remove_background_noise', 'seed', 'voice_settings'],
  realtime: [
    'instructions',
    'max_output_tokens',
    'output_modalities',
    'tool_choice',
    'tools',
    'turn_detection',
    'voice',
  ],
};
