import { z } from 'zod';
import {
  ATTEMPTS_MAX,
  LATE_FACTOR_MAX,
  MODEL_KINDS,
  ROUTING_RULES,
  SENDABLE_TYPES,
  UPSTREAM_PROTOCOLS,
} from '../../db/catalog/catalogFile.ts';
import { pageQuery } from '../http/page.ts';

const name = z.string().trim().min(1).max(200);
const PLACES_MAX = 20;
const USD_MAX = 1_000_000;
// An IPv6 address may contain an IPv4 one: mapped, compatible, or translated.
const isLinkLocal = (host: string): boolean =>
  /^(169\.254\.|\[(fe[89ab]|(::(ffff:(0:)?)?|64:ff9b::)a9fe:|fd00:ec2::254\]))/.test(host);

/** Private hosts are allowed, as in the file. Those of the cloud's metadata are not upstreams. */
const baseUrl = z
  .string()
  .max(500)
  .refine((text) => URL.canParse(text) && /^(https?|wss?):$/.test(new URL(text).protocol), 'must be an http address')
  .refine((text) => !URL.canParse(text) || new URL(text).username === '', 'must not contain a login')
  .refine((text) => !URL.canParse(text) || !isLinkLocal(new URL(text).hostname), 'must not be link-local')
  .describe('Its address, as `https://api.openai.com/v1`. Private hosts are allowed, link-local ones are not.');
const timeout = z.int().min(100).max(3_600_000);

const upstreamMembers = {
  protocol: z.enum(UPSTREAM_PROTOCOLS).exclude(['embedded']).describe('`openai` where omitted.'),
  base_url: baseUrl,
  api_key: z
    .string()
    .min(1)
    .max(1_000)
    .regex(/^[\x21-\x7e]+$/, 'must be visible characters')
    .nullable()
    .describe('Sealed when it is stored, and never shown again but its last four characters; null: no key.'),
  retention: z
    .enum(['none', 'kept'])
    .describe(
      'What it keeps of calls, by its contract; `kept` where omitted. Calls that demand no retention go to `none` alone.',
    ),
  region: name.max(50).describe('Where it computes, as models’ `routing.regions` name it.'),
  batches: z.boolean().describe('Whether it has OpenAI’s files and batches.'),
  timeouts_ms: z
    .strictObject({ connect: timeout, first_byte: timeout, idle: timeout, answer: timeout })
    .partial()
    .describe('Those of the environment where omitted.'),
};

const disabled = z.boolean();

export const NewUpstreamBody = z.strictObject({
  id: z
    .string()
    .max(100)
    .regex(/^[a-zA-Z0-9][\w.-]*$/, 'must be letters, digits, dots, hyphens and underscores'),
  base_url: baseUrl,
  ...z.object(upstreamMembers).omit({ base_url: true }).partial().shape,
});

/** Null members are the file's again. */
export const UpstreamChangeBody = z
  .strictObject({
    protocol: upstreamMembers.protocol.nullable(),
    base_url: baseUrl.nullable(),
    api_key: upstreamMembers.api_key,
    batches: upstreamMembers.batches.nullable(),
    retention: upstreamMembers.retention.nullable(),
    region: upstreamMembers.region.nullable(),
    timeouts_ms: upstreamMembers.timeouts_ms.nullable(),
    disabled: disabled.describe('A disabled upstream is not tried; calls that run there end normally.'),
  })
  .partial();

const modelMembers = {
  aliases: z.array(name).max(50).describe('Other names that mean this model.'),
  name: z.string().trim().min(1).max(100),
  description: z.string().trim().min(1).max(2_000),
  context_tokens: z.int().min(0),
  output_tokens_max: z.int().min(0),
  input_media_types: z.array(z.enum(SENDABLE_TYPES)).max(10).describe('Images and sound that it accepts beside text.'),
  supported_parameters: z.array(name).max(100),
  upstreams: z
    .array(
      z.strictObject({
        upstream: name,
        model: name.describe('The upstream’s name of the model.'),
        weight: z
          .number()
          .min(0)
          .max(1_000)
          .nullable()
          .optional()
          .describe('Its share, for `weighted`; 1 where omitted.'),
        without: z
          .array(name)
          .max(50)
          .nullable()
          .optional()
          .describe('Parameters that it does not support: calls with one go to the others.'),
        answers_as: z
          .array(name)
          .max(20)
          .nullable()
          .optional()
          .describe('What the `model` of its answers begins with; other answers count as failures.'),
      }),
    )
    .min(1)
    .max(PLACES_MAX)
    .describe('In the order in which they are tried, unless `routing` says otherwise.'),
  routing: z
    .strictObject({
      by: z.enum(ROUTING_RULES).optional().describe('By what they are sorted; `order` where omitted.'),
      retention: z.literal('none').optional().describe('Only upstreams that keep nothing.'),
      regions: z.array(name).min(1).max(20).optional().describe('Only upstreams of these regions.'),
      attempts: z.int().min(1).max(ATTEMPTS_MAX).optional().describe('How many a call tries at most.'),
      budget_ms: timeout.optional().describe('No further one is tried after this time of a call.'),
      late_factor: z
        .number()
        .min(0)
        .max(LATE_FACTOR_MAX)
        .optional()
        .describe(
          'How many times the p95 of an upstream its first byte is waited for before another is tried beside it; 0: for ever.',
        ),
    })
    .describe('How they are chosen.'),
};

export const NewModelBody = z.strictObject({
  id: name,
  kind: z.enum(MODEL_KINDS),
  voices: z.enum(['preset', 'cloned']).optional().describe('For a speech model: the kind of voices it speaks with.'),
  upstreams: modelMembers.upstreams,
  ...z.object(modelMembers).omit({ upstreams: true }).partial().shape,
});

/** Null members are the file's again. */
export const ModelChangeBody = z
  .strictObject({
    aliases: modelMembers.aliases.nullable(),
    name: modelMembers.name.nullable(),
    description: modelMembers.description.nullable(),
    context_tokens: modelMembers.context_tokens.nullable(),
    output_tokens_max: modelMembers.output_tokens_max.nullable(),
    input_media_types: modelMembers.input_media_types.nullable(),
    supported_parameters: modelMembers.supported_parameters.nullable(),
    upstreams: modelMembers.upstreams.nullable(),
    routing: modelMembers.routing.nullable(),
    disabled: disabled.describe('A disabled model is unknown to new calls; calls that run end normally.'),
  })
  .partial();

export const usdPerMillion = z
  .record(
    z.string().min(1).max(50),
    z.number().min(0).max(USD_MAX).multipleOf(0.000001, 'must have at most six decimals'),
  )
  .refine((given) => Object.keys(given).length > 0, 'must name a unit')
  .describe('US dollars for a million of each unit that a model of its kind is billed by, as in the catalogue file.');
const batchPercentage = z
  .int()
  .min(1)
  .max(100)
  .nullable()
  .describe('What a line of a batch costs of that, in per cent; null: the same.');

export const CostBody = z.strictObject({ upstream: name, usd_per_million: usdPerMillion });

export const NewPriceBody = z.strictObject({
  model: name,
  usd_per_million: usdPerMillion.optional(),
  batch_percentage: batchPercentage.optional(),
  from_file: z.literal(true).optional().describe('Instead of an own price: that of the file, as it is and will be.'),
  holds_from: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .describe('From when it holds; null: from its approval. A price that is approved later holds from then.'),
  reason: z.string().trim().min(1).max(500).optional().describe('For the operator who decides.'),
});

export const PreviewBody = z.strictObject({
  model: name,
  usd_per_million: usdPerMillion,
  batch_percentage: batchPercentage.default(null),
});

export const PriceQuery = z.strictObject({
  status: z.enum(['pending', 'approved', 'rejected', 'withdrawn']).optional(),
  model: name.optional(),
  ...pageQuery,
});
