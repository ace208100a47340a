import { z } from 'zod';
import { MODEL_KINDS, ROUTING_RULES, UPSTREAM_PROTOCOLS } from '../../db/catalog/catalogFile.ts';

const time = z.iso.datetime();
export const usdPerMillion = z.record(z.string(), z.number()).describe('US dollars for a million of each unit.');

/** Where an entry comes from. */
const provenance = {
  source: z.enum(['file', 'changed', 'added']).describe('`changed`: an operator changed the file’s entry.'),
  changed_members: z.array(z.string()),
  changed_by: z.string().nullable(),
  changed_at: time.nullable(),
  problem: z.string().nullable().describe('Why the change, or a part of it, does not apply.'),
};

export const CatalogPriceAnswer = z.object({
  id: z.string(),
  object: z.literal('catalog.price'),
  model: z.string(),
  usd_per_million: usdPerMillion,
  batch_percentage: z.int().nullable(),
  source: z.enum(['file', 'operator']),
  is_first: z.boolean().describe('The first price of an added model: one person set it.'),
  from_file: z.boolean().describe('It is the file’s price, as it is and will be.'),
  status: z.enum(['pending', 'approved', 'rejected', 'withdrawn']),
  reason: z.string().nullable(),
  holds_from: time.nullable().describe('What was asked for; null: the approval.'),
  valid_from: time.nullable().describe('The instant from which it holds, once it is approved.'),
  proposed_by: z.string().nullable(),
  decided_by: z.string().nullable(),
  created_at: time,
  decided_at: time.nullable(),
  may_approve: z.boolean().describe('Whether the caller may approve it: a person who did not propose it.'),
  may_withdraw: z.boolean(),
});

/** How calls of a model at an upstream go, in one process. */
const CircuitAnswer = z.object({
  state: z.enum(['closed', 'open', 'half_open']).describe('`open`: tried last; `half_open`: one call tries it.'),
  reason: z.enum(['silent', 'failing', 'late', 'refused_account', 'overloaded']).nullable(),
  calls: z.int().describe('Of the last five minutes.'),
  failures: z.int(),
  first_byte_p95_ms: z.number().nullable(),
});

const place = z.object({
  upstream: z.string(),
  model: z.string(),
  weight: z.number().nullable(),
  without: z.array(z.string()).nullable(),
  answers_as: z.array(z.string()).nullable(),
  is_disabled: z.boolean(),
  is_healthy: z.boolean().describe('At most half of its calls of the last hour failed.'),
  circuit: CircuitAnswer.nullable().describe(
    'Its state in the process that answers; null where it was not called there beside others.',
  ),
  requests_last_hour: z.int(),
  cost: z
    .object({ usd_per_million: usdPerMillion, stated_by: z.string(), valid_from: time })
    .nullable()
    .describe('What it charges the platform, as an operator stated it.'),
  margin_percentage: z
    .number()
    .nullable()
    .describe('What remains of the price, for the unit of which the least does; null without a cost.'),
});

export const CatalogModelAnswer = z.object({
  id: z.string(),
  object: z.literal('catalog.model'),
  kind: z.enum(MODEL_KINDS),
  name: z.string().nullable(),
  description: z.string().nullable(),
  aliases: z.array(z.string()),
  context_tokens: z.int(),
  output_tokens_max: z.int(),
  input_media_types: z.array(z.string()),
  supported_parameters: z.array(z.string()).nullable().describe('Null: all of its kind.'),
  state: z.enum(['sold', 'disabled', 'unpriced']).describe('`unpriced`: an added model before its first price.'),
  ...provenance,
  units: z.array(z.object({ unit: z.string(), is_required: z.boolean() })).describe('What a price of it names.'),
  upstreams: z.array(place).describe('In their order.'),
  routing: z
    .object({
      by: z.enum(ROUTING_RULES),
      retention: z.literal('none').nullable(),
      regions: z.array(z.string()).nullable(),
      attempts: z.int().nullable(),
      budget_ms: z.int().nullable(),
      late_factor: z.number().nullable(),
    })
    .describe('How they are chosen; a null member is the default.'),
  pipeline: z.object({ text: z.string(), speech: z.string(), transcription: z.string() }).nullable(),
  price: CatalogPriceAnswer.nullable().describe('What holds now; null before the first.'),
  next_price: CatalogPriceAnswer.nullable().describe('The next approved one.'),
  pending_prices: z.int(),
});

export const CatalogModelList = z.object({ object: z.literal('list'), data: z.array(CatalogModelAnswer) });

export const PriceHistory = z.object({ object: z.literal('list'), data: z.array(CatalogPriceAnswer) });

export const CatalogUpstreamAnswer = z.object({
  id: z.string(),
  object: z.literal('catalog.upstream'),
  protocol: z.enum(UPSTREAM_PROTOCOLS),
  base_url: z.string().nullable().describe('Null: it runs here, or its address is not set.'),
  key: z.object({ source: z.enum(['file', 'sealed']), last4: z.string().nullable() }).nullable(),
  batches: z.boolean(),
  retention: z.enum(['none', 'kept']),
  region: z.string().nullable(),
  timeouts_ms: z.object({
    connect: z.int().nullable(),
    first_byte: z.int().nullable(),
    idle: z.int().nullable(),
    answer: z.int().nullable(),
  }),
  is_disabled: z.boolean(),
  models: z.array(z.string()),
  is_healthy: z.boolean(),
  requests_last_hour: z.int(),
  errors_last_hour: z.int(),
  first_byte_p50_ms: z.number().nullable(),
  lost_last_hour: z
    .object({
      attempts: z.int(),
      cost_usd: z
        .number()
        .nullable()
        .describe('At most, by the stated costs of their prompts; null where one has none.'),
    })
    .describe('Attempts that answered nobody: another upstream was faster, or they failed. They are never billed.'),
  ...provenance,
});

export const CatalogUpstreamList = z.object({
  object: z.literal('list'),
  data: z.array(CatalogUpstreamAnswer),
  can_seal: z.boolean().describe('Whether keys can be stored: `CATALOG_SECRETS_KEY` is set.'),
});

export const ProbeAnswer = z.object({
  object: z.literal('catalog.probe'),
  upstream: z.string(),
  ok: z.boolean(),
  status: z.int().nullable(),
  latency_ms: z.int(),
  models: z.int().nullable().describe('How many models it lists.'),
  missing_models: z.array(z.string()).describe('Names that the catalogue uses there, and that its list does not have.'),
  error: z.string().nullable(),
});

export const PreviewAnswer = z.object({
  object: z.literal('catalog.price_preview'),
  model: z.string(),
  days: z.int(),
  requests: z.int(),
  charged_usd: z.number(),
  would_usd: z.number().describe('The same calls at the previewed price.'),
  units: z.record(z.string(), z.number()),
});

export const RemovedChange = z.object({
  id: z.string(),
  object: z.enum(['catalog.model', 'catalog.upstream']),
  deleted: z.boolean().describe('Whether the entry is gone: the file does not have it.'),
});
