import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const MODEL_KINDS = ['text', 'embedding', 'speech', 'transcription', 'conversion', 'realtime'] as const;

/** A model's task. Every table by kind is complete, so a new kind has its units, its product and its words. */
export type ModelKind = (typeof MODEL_KINDS)[number];

/** Every unit of billed calls. */
export const CALL_UNITS = [
  'input_tokens',
  'output_tokens',
  'input_characters',
  'audio_minutes',
  'audio_seconds',
  'output_characters',
  'cached_input_tokens',
  'cache_write_tokens',
] as const;

/** A unit of calls. Every table by unit is complete, so a new unit has its words wherever prices are shown. */
export type CallUnit = (typeof CALL_UNITS)[number];

// The billed units of each kind of model: a model without a price for them could not be settled.
export const BILLED_UNITS: Record<ModelKind, CallUnit[]> = {
  text: ['input_tokens', 'output_tokens'],
  embedding: ['input_tokens'],
  speech: ['input_characters'],
  transcription: ['audio_minutes'],
  conversion: ['audio_seconds'],
  realtime: ['audio_minutes', 'output_tokens', 'output_characters'],
};

// Parts that may have their own price. Without it, parts of a text cost as much as the rest; in a voice session the prompt is free.
export const OPTIONAL_UNITS: Partial<Record<ModelKind, CallUnit[]>> = {
  text: ['cached_input_tokens', 'cache_write_tokens'],
  realtime: ['input_tokens'],
};

// The media parts of OpenAI's chat messages: images by URL, and two audio formats.
export const SENDABLE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'audio/wav',
  'audio/mpeg',
] as const;

/** The protocols of upstreams. `embedded` runs in this process and has no address. */
export const UPSTREAM_PROTOCOLS = ['openai', 'elevenlabs', 'embedded'] as const;

const name = z.string().min(1);
const tokens = z.int().min(0);
const timeout = z.int().min(100).max(3_600_000);

/**
 * The handling of a parameter that may change a call's price or its model: refused, forwarded at the same price, or accepted with the
 * listed values, each of which multiplies the price.
 */
type ParameterRule = 'refuse' | 'forward' | Record<string, number>;

/** The rules of parameters, by name. Any other parameter is forwarded unchanged. */
export type ParameterRules = ReadonlyMap<string, ParameterRule>;

/** The rules of one upstream, in the catalogue. */
const ParameterRulesEntry = z.record(
  z.string().min(1),
  z.union([z.enum(['refuse', 'forward']), z.record(z.string(), z.number().min(0.01).max(1_000).multipleOf(0.01))]),
);

const UpstreamEntry = z.strictObject({
  protocol: z.enum(UPSTREAM_PROTOCOLS).optional(),
  baseUrl: z.string().optional(),
  apiKey: z.string().optional(),
  outputLimit: z.literal('max_tokens').optional(),
  setup: z.string().optional(),
  parameters: ParameterRulesEntry.optional(),
  // What it keeps of calls: calls that demand no retention go to `none` alone.
  retention: z.enum(['none', 'kept']).optional(),
  region: name.max(50).optional(),
  // It has OpenAI's files and batches.
  batches: z.boolean().optional(),
  timeoutsMs: z
    .strictObject({ connect: timeout, firstByte: timeout, idle: timeout, answer: timeout })
    .partial()
    .optional(),
});

/** By what a model's upstreams are sorted. */
export const ROUTING_RULES = ['order', 'weighted', 'price', 'latency', 'errors'] as const;
export const ATTEMPTS_MAX = 10;
export const LATE_FACTOR_MAX = 100;

/** How the upstreams of a model are chosen: some are left out, the others sorted, and so many of them tried. */
const RoutingEntry = z.strictObject({
  by: z.enum(ROUTING_RULES).optional(),
  retention: z.literal('none').optional(),
  regions: z.array(name).min(1).optional(),
  attempts: z.int().min(1).max(ATTEMPTS_MAX).optional(),
  budgetMs: timeout.optional(),
  lateFactor: z.number().min(0).max(LATE_FACTOR_MAX).optional(),
});

const PlaceEntry = z.strictObject({
  upstream: name,
  model: name,
  weight: z.number().min(0).max(1_000).optional(),
  // What it charges; what operators stated since counts before.
  costUsdPerMillion: z.record(name, z.number().min(0).multipleOf(0.000001)).optional(),
  // Parameters that it does not support.
  without: z.array(name).min(1).optional(),
  // Names with which its answers' `model` begins.
  answersAs: z.array(name).min(1).optional(),
});

const ModelEntry = z
  .strictObject({
    id: name,
    kind: z.enum(MODEL_KINDS),
    aliases: z.array(name),
    name: name.max(100).optional(),
    description: name.max(2_000).optional(),
    tokenizer: name.optional(),
    supportedParameters: z.array(name).optional(),
    prefixes: z.array(name).optional(),
    voices: z.enum(['preset', 'cloned']).optional(),
    rehearsal: z.literal(true).optional(),
    created: z.int().min(0),
    contextTokens: tokens.optional(),
    outputTokensMax: tokens.optional(),
    mediaTokens: z.strictObject({ imageBase: tokens, imageTile: tokens, audioSecond: tokens }).optional(),
    inputMediaTypes: z.array(z.enum(SENDABLE_TYPES)).optional(),
    upstreams: z.array(PlaceEntry).default([]),
    routing: RoutingEntry.optional(),
    // The models of a voice session. Omitted: its upstreams speak the realtime protocol themselves.
    pipeline: z.strictObject({ text: name, speech: name, transcription: name }).optional(),
    // The smallest price that the rates can express.
    usdPerMillion: z.record(name, z.number().min(0).multipleOf(0.000001)),
    // The cost of a call as a line of a batch, as a fraction of that price.
    batchFactor: z.number().min(0.01).max(1).multipleOf(0.01).optional(),
  })
  .superRefine(({ kind, usdPerMillion, upstreams, pipeline, batchFactor }, context) => {
    if (batchFactor !== undefined && kind !== 'text' && kind !== 'embedding')
      context.addIssue({ code: 'custom', path: ['batchFactor'], message: 'belongs to models of texts and embeddings' });
    if (kind !== 'realtime' && pipeline !== undefined)
      context.addIssue({ code: 'custom', path: ['pipeline'], message: 'belongs to models of the kind realtime' });
    if (upstreams.length === 0 && pipeline === undefined)
      context.addIssue({ code: 'custom', path: ['upstreams'], message: 'names no upstream' });
    if (upstreams.length > 0 && pipeline !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['upstreams'],
        message: 'has a pipeline too: a realtime model has one of both',
      });
    const missing = BILLED_UNITS[kind].filter((unit) => usdPerMillion[unit] === undefined);
    for (const unit of missing)
      context.addIssue({ code: 'custom', path: ['usdPerMillion'], message: `needs a price for ${unit}` });
    const known: string[] = [...BILLED_UNITS[kind], ...(OPTIONAL_UNITS[kind] ?? [])];
    for (const unit of Object.keys(usdPerMillion).filter((name) => !known.includes(name))) {
      const message = `is not a unit that a ${kind} model is billed by: ${known.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['usdPerMillion', unit], message });
    }
  });

const CatalogFile = z
  .strictObject({
    agentModel: name.optional(),
    sandboxUsdPerSecond: z.number().min(0).multipleOf(0.000001).default(0.00005),
    upstreams: z.record(name, UpstreamEntry),
    models: z.array(ModelEntry).min(1),
  })
  .superRefine(({ upstreams, models }, context) => {
    const taken = new Set<string>();
    for (const [index, model] of models.entries()) {
      const refuse = (member: string, message: string) =>
        context.addIssue({ code: 'custom', path: ['models', index, member], message });
      for (const { upstream } of model.upstreams)
        if (!Object.hasOwn(upstreams, upstream))
          refuse('upstreams', `names an upstream that is not described: ${upstream}`);
      for (const [kind, used] of Object.entries(model.pipeline ?? {}))
        if (!models.some((other) => other.id === used && other.kind === kind))
          refuse('pipeline', `uses no ${kind} model: ${used}`);
      for (const own of new Set([model.id, ...model.aliases])) {
        if (taken.has(own)) refuse('aliases', `is called like another model: ${own}`);
        taken.add(own);
      }
    }
  });

export type CatalogFile = z.output<typeof CatalogFile>;

/** Reads and validates a catalogue. Throws an error that names the file and the position in it. */
export function readCatalogFile(file: string): CatalogFile {
  const refuse = (reason: string, cause?: unknown) =>
    new Error(`MODEL_CATALOG_FILE: the catalogue ${file} cannot be used: ${reason}`, { cause });
  let parsed: ReturnType<typeof CatalogFile.safeParse>;
  try {
    parsed = CatalogFile.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw refuse((cause as Error).message, cause);
  }
  if (parsed.success) return parsed.data;
  throw refuse(textOf(parsed.error));
}

function textOf({ issues }: z.ZodError): string {
  const [{ path, message }] = issues as [z.core.$ZodIssue];
  return `${path.map(String).join('.') || 'the whole'}: ${message}`;
}

/** What makes a catalogue invalid: the member of an entry, and why; undefined when it is valid. */
export function faultOf(catalog: CatalogFile): { member: string | undefined; message: string } | undefined {
  const parsed = CatalogFile.safeParse(catalog);
  if (parsed.success) return undefined;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  const member = path[2];
  return { member: member === undefined ? undefined : String(member), message };
}

/** Rules for an upstream without its own: parameters that would change the price or the model are refused. */
const DEFAULT_RULES: Record<string, ParameterRule> = {
  service_tier: { auto: 1, default: 1 },
  // Other models, or other suppliers of the model, at their own prices.
  models: 'refuse',
  route: 'refuse',
  provider: 'refuse',
  preset: 'refuse',
  fallbacks: 'refuse',
  model_list: 'refuse',
  custom_llm_provider: 'refuse',
  // Parameters that select the upstream or its account.
  api_base: 'refuse',
  base_url: 'refuse',
  api_key: 'refuse',
  // The upstream's own searches and tools, which it charges for.
  plugins: 'refuse',
  mcp_servers: 'refuse',
  search_parameters: 'refuse',
  enable_search: 'refuse',
  // The same tokens at a higher price, or more tokens than are returned.
  speed: 'refuse',
  inference_geo: 'refuse',
  best_of: 'refuse',
  use_beam_search: 'refuse',
};

/** The rules of a model with several upstreams: the strictest of each. */
export function parameterRulesOf(upstreams: (Record<string, ParameterRule> | undefined)[]): ParameterRules {
  const merged = new Map<string, ParameterRule>();
  const own = upstreams.map((rules) => ({ ...DEFAULT_RULES, ...rules }));
  for (const name of new Set(own.flatMap((rules) => Object.keys(rules)))) {
    const rule = own.map((rules) => rules[name] ?? 'forward').reduce(stricterOf);
    if (rule !== 'forward') merged.set(name, rule);
  }
  return merged;
}

/** The values that both lists accept, at the higher price. */
function stricterOf(one: ParameterRule, other: ParameterRule): ParameterRule {
  if (one === 'refuse' || other === 'refuse') return 'refuse';
  if (one === 'forward') return other;
  if (other === 'forward') return one;
  const shared = Object.keys(one).filter((value) => Object.hasOwn(other, value));
  return Object.fromEntries(shared.map((value) => [value, Math.max(one[value]!, other[value]!)]));
}
