import { z } from 'zod';
import { NewUpstreamBody, usdPerMillion } from '../catalog/catalogSchema.ts';
import { vendors } from '../../providers/vendors.ts';

const { base_url, api_key } = NewUpstreamBody.shape;
const vendorIds = vendors.map(({ id }) => id) as [string, ...string[]];
const MARGIN_MAX = 1_000;

const place = {
  vendor: z.enum(vendorIds).optional().describe('One of the list; or state `base_url`.'),
  base_url: base_url.optional().describe('Any address behind OpenAI’s protocol, as `http://127.0.0.1:11434/v1`.'),
  api_key: api_key
    .unwrap()
    .unwrap()
    .optional()
    .describe('Omitted: the key that the catalogue has for this address, if any. Never shown again.'),
  model: z.string().trim().min(1).max(200).describe('The vendor’s name of the model.'),
};

const hasOnePlace = ({ vendor, base_url: url }: { vendor?: unknown; base_url?: unknown }): boolean =>
  (vendor === undefined) !== (url === undefined);
const onePlace = { path: ['vendor'], message: 'State vendor or base_url, and not both.' };

export const StarterProbeBody = z.strictObject(place).refine(hasOnePlace, onePlace);

export const StarterBody = z
  .strictObject({
    ...place,
    usd_per_million: usdPerMillion
      .optional()
      .describe('Its price here. Required for a model that the list does not have.'),
    margin_percentage: z
      .number()
      .min(0)
      .max(MARGIN_MAX)
      .optional()
      .describe('Instead of a price: what is added to the list price. 0 where both are omitted.'),
    context_tokens: z.int().min(256).optional(),
    output_tokens_max: z.int().min(1).optional(),
    use_for_agents: z
      .boolean()
      .optional()
      .describe('Whether agents that name no model use it. Omitted: while they answer by rules.'),
  })
  .refine(hasOnePlace, onePlace);

export const EngineFetchBody = z.strictObject({
  use_for_agents: z
    .boolean()
    .optional()
    .describe('Whether agents use it once it is there. Omitted: while they answer by rules.'),
});

export const AgentModelBody = z.strictObject({
  model: z.string().min(1).max(200).describe('The id of a text model that is sold.'),
});
