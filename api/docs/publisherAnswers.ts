import { z } from 'zod';
import { meters } from '../../db/agents/configuration.ts';
import type { NamedSchema } from './documentedRoute.ts';

const time = z.iso.datetime();
const meter = z.enum(Object.keys(meters) as [keyof typeof meters]);

/** A list as every list of the agent family is sent. */
export const pageOf = (id: string, entry: z.ZodType): NamedSchema => ({
  id,
  schema: z.object({
    object: z.literal('list'),
    data: z.array(entry),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
});

export const Configuration = z.object({
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  tools: z.array(z.string()),
  plugins: z.array(z.object({ plugin_id: z.string(), version: z.string() })),
  pricing: z.object({
    minimum_cost_usd: z.number(),
    maximum_cost_usd: z.number(),
    rates: z.array(z.object({ meter, price_usd: z.number() })),
  }),
  icon_file_id: z.string().nullable(),
  categories: z.array(z.string()),
  example_prompts: z.array(z.string()),
});

const Feedback = z.object({
  id: z.string(),
  source: z.enum(['automatic', 'operator']),
  severity: z.enum(['blocking', 'advisory']),
  code: z.string(),
  path: z.string().describe('A JSON pointer into the configuration.'),
  message: z.string(),
  created_at: time,
});

const status = z.enum(['in_review', 'changes_requested', 'rejected', 'withdrawn', 'active', 'superseded', 'suspended']);

export const Deployment = z.object({
  id: z.string(),
  object: z.literal('agent.deployment'),
  agent_id: z.string(),
  version_id: z.string(),
  visibility: z.enum(['public', 'private']),
  status,
  review_feedback: z.array(Feedback),
  created_at: time,
  activated_at: time.nullable(),
});

export const PublisherAgent = z.object({
  id: z.string(),
  object: z.literal('publisher.agent'),
  namespace: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  draft_revision: z.int(),
  private_deployment: Deployment.nullable(),
  public_deployment: Deployment.nullable(),
  public_submission: Deployment.nullable(),
  created_at: time,
  updated_at: time,
});

export const AgentVersion = z.object({
  id: z.string(),
  object: z.literal('agent.version'),
  agent_id: z.string(),
  number: z.int(),
  source_revision: z.int(),
  configuration: Configuration,
  created_at: time,
});

export const Namespace: NamedSchema = {
  id: 'Namespace',
  schema: z.object({
    name: z.string(),
    object: z.literal('publisher.namespace'),
    provider_name: z.string(),
    website: z.string().nullable(),
    verified: z.boolean().describe('An operator has made sure who it is.'),
    created_at: time,
  }),
};

export const VersionDiff = z.object({
  object: z.literal('agent.version.diff'),
  agent_id: z.string(),
  from_version_id: z.string(),
  to_version_id: z.string(),
  changes: z.array(
    z.object({
      op: z.enum(['add', 'remove', 'replace']),
      path: z.string(),
      from: z.unknown().optional(),
      to: z.unknown().optional(),
    }),
  ),
});

export const DeploymentComment = z.object({
  id: z.string(),
  object: z.literal('deployment.comment'),
  deployment_id: z.string(),
  author: z.enum(['publisher', 'operator']),
  message: z.string(),
  created_at: time,
});

const Review = z.object({
  id: z.string().describe('Of the deployment.'),
  object: z.literal('review'),
  agent_id: z.string(),
  agent: z.string(),
  name: z.string(),
  publisher: z.string(),
  version_id: z.string(),
  version_number: z.int(),
  status,
  review_feedback: z.array(Feedback),
  created_at: time,
  decided_at: time.nullable(),
});

export const ReviewPage = pageOf('ReviewPage', Review);

export const ReviewDetail: NamedSchema = {
  id: 'ReviewDetail',
  schema: Review.extend({
    configuration: Configuration,
    live_configuration: Configuration.nullable().describe('What is public now, to compare with.'),
    comments: z.array(z.object({ author: z.string(), message: z.string(), created_at: z.string() })),
    audit: z.array(
      z.object({ action: z.string(), key_id: z.string(), request_id: z.string(), created_at: z.string() }),
    ),
  }),
};

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
    meters: z.array(z.object({ id: meter, unit: z.string(), price_usd: z.number(), description: z.string() })),
  }),
  data_policy: z.object({
    retention: z.string(),
    retention_days: z.int().nullable(),
    training: z.boolean(),
    policy_url: z.string(),
  }),
  updated_at: time,
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

const earnings = { runs: z.int(), gross_usd: z.number(), network_fee_usd: z.number(), earned_usd: z.number() };

export const Statement: NamedSchema = {
  id: 'PublisherStatement',
  schema: z.object({
    object: z.literal('publisher.statement'),
    month: z.string(),
    currency: z.literal('USD'),
    totals: z.object(earnings),
    balance_usd: z.number().describe('All that was ever earned.'),
    data: z.array(z.object({ date: z.iso.date(), agent: z.string(), version: z.string(), ...earnings })),
  }),
};
