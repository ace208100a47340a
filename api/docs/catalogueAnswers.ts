import { z } from 'zod';
import { METERS } from '../../db/agents/configuration.ts';
import type { NamedSchema } from './documentedRoute.ts';

/** What agents charge for. */
export const MeterName = z.enum(Object.keys(METERS) as [keyof typeof METERS]);

export const PublicAgent = z.object({
  id: z.string().describe('`<namespace>/<slug>`'),
  object: z.literal('agent'),
  name: z.string(),
  description: z.string(),
  provider: z.object({ id: z.string(), name: z.string(), verified: z.boolean(), website: z.string() }),
  version: z.string().describe('A date, such as `2026-11-21`.'),
  status: z.literal('available'),
  categories: z.array(z.string()),
  input: z.object({ text: z.boolean(), files: z.boolean(), accepted_media_types: z.array(z.string()) }),
  output_types: z.array(z.enum(['text', 'file', 'data'])),
  pricing: z.object({
    id: z.string(),
    currency: z.literal('USD'),
    minimum_cost_usd: z.number(),
    maximum_cost_usd: z.number(),
    network_fee_percentage: z.number(),
    subsidised: z.boolean().describe('Whether the platform bears what its costs are above the prices.'),
    meters: z.array(
      z.object({
        id: MeterName,
        unit: z.string(),
        price_usd: z.number().describe('For a unit, before the network fee.'),
        platform_cost_usd: z.number().describe('The part of the price that passes through to the platform.'),
        description: z.string(),
      }),
    ),
  }),
  data_policy: z.object({
    retention: z.string(),
    retention_days: z.int().nullable(),
    training: z.boolean(),
    policy_url: z.string(),
  }),
  updated_at: z.iso.datetime(),
});

export const AgentQuality: NamedSchema = {
  id: 'AgentQuality',
  schema: z.object({
    object: z.literal('agent.quality'),
    agent: z.string(),
    days: z.literal(30),
    runs: z.int(),
    completed: z.int(),
    completion_rate: z.number().nullable(),
    median_cost_usd: z.number().nullable(),
    median_duration_seconds: z.number().nullable(),
    refund_rate: z.number().nullable(),
  }),
};

const modes = z.array(z.string()).describe('Media types.');

export const AgentCard: NamedSchema = {
  id: 'AgentCard',
  schema: z.object({
    name: z.string(),
    description: z.string(),
    supportedInterfaces: z.array(
      z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() }),
    ),
    provider: z.object({ organization: z.string(), url: z.string() }),
    version: z.string(),
    documentationUrl: z.string(),
    capabilities: z.object({
      streaming: z.boolean(),
      pushNotifications: z.boolean(),
      extendedAgentCard: z.boolean(),
    }),
    securitySchemes: z.record(
      z.string(),
      z.object({ httpAuthSecurityScheme: z.object({ scheme: z.string(), description: z.string() }) }),
    ),
    securityRequirements: z.array(z.object({ schemes: z.record(z.string(), z.object({ list: z.array(z.string()) })) })),
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        tags: z.array(z.string()),
        examples: z.array(z.string()),
      }),
    ),
  }),
};
