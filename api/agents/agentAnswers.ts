import { z } from 'zod';
import { RUN_METERS } from '../../db/entities/agentJson.ts';
import { NOTICE_DAYS, QUALITY_DAYS } from '../../base/limits.ts';
import type { NamedSchema } from '../http/documentedRoute.ts';

/** The units that agents charge for. */
export const MeterName = z.enum(Object.keys(RUN_METERS) as [keyof typeof RUN_METERS]);

const jsonSchema = z.record(z.string(), z.unknown()).nullable();

const pricing = z.object({
  id: z.string(),
  currency: z.literal('USD'),
  minimum_cost_usd: z.number(),
  maximum_cost_usd: z.number(),
  network_fee_percentage: z.number(),
  subsidised: z.boolean().describe('Whether the platform pays the part of its own cost that the prices do not cover.'),
  meters: z.array(
    z.object({
      id: MeterName,
      unit: z.string(),
      price_usd: z.number().describe('For a unit, before the network fee.'),
      platform_cost_usd: z.number().describe('The part of the price that passes through to the platform.'),
      description: z.string(),
    }),
  ),
});

export const UpcomingVersion = z.object({ version: z.string(), effective_at: z.iso.datetime(), pricing }).nullable();

export const TakenDown = z
  .object({ at: z.iso.datetime(), message: z.string() })
  .describe(
    'Its publisher has taken it down: new orders are refused with this message. Runs that have begun end as usual.',
  );

export const Deprecation = z
  .object({
    deprecated_at: z.iso.datetime(),
    sunset_at: z.iso.datetime().describe('New orders are refused from this time on.'),
    successor: z.string().nullable().describe('The agent to use instead.'),
    message: z.string().nullable(),
  })
  .describe('Its publisher has deprecated it.');

export const AgentAnswer = z.object({
  id: z.string().describe('`<namespace>/<slug>`'),
  object: z.literal('agent'),
  name: z.string(),
  description: z.string(),
  provider: z.object({
    id: z.string(),
    name: z.string(),
    verified: z.boolean(),
    website: z.string(),
    logo_url: z.string().nullable().describe('An image that needs no key, if the publisher shows one.'),
  }),
  version: z.string().describe('A date, such as `2026-11-21`.'),
  status: z
    .enum(['available', 'unavailable', 'taken_down', 'retired'])
    .describe(
      '`unavailable`: its model is no longer offered. `taken_down` and `retired`: new orders are refused; see `taken_down` and `deprecation`.',
    ),
  categories: z.array(z.string()),
  input: z.object({
    text: z.boolean(),
    files: z.boolean(),
    data: z.boolean().describe('Takes one object that fits `input_schema`, in place of texts.'),
    accepted_media_types: z.array(z.string()),
  }),
  output_types: z.array(z.enum(['text', 'file', 'data'])),
  tools: z.array(z.string()),
  plugins: z.array(z.object({ plugin_id: z.string(), version: z.string() })),
  http_tools: z
    .array(z.object({ name: z.string(), description: z.string(), host: z.string() }))
    .describe('Code of its publisher: its host gets the arguments that the model sends.'),
  agents: z.array(z.string()).describe('Agents that it may call: what it gives to them is read by them.'),
  example_prompts: z.array(z.string()).describe('With an `input_schema`, input as JSON.'),
  icon_file_id: z.string().nullable(),
  icon_url: z.string().nullable().describe('An image that needs no key.'),
  input_schema: jsonSchema,
  output_schema: jsonSchema,
  accepts_response_format: z.boolean().describe('Runs may send a `response_format`.'),
  max_steps: z.int().describe('How often a run calls the model at most.'),
  model: z.string().describe('The model that runs use: its price is in `pricing`.'),
  pricing,
  data_policy: z.object({
    retention: z.string(),
    retention_days: z.int().nullable(),
    training: z.boolean(),
    hosts: z.array(z.string()).describe('Hosts outside the platform that get data of a run: those of `http_tools`.'),
    remembers: z
      .boolean()
      .describe('Whether it remembers the `user` of a run, for the caller’s workspace alone: see `/v1/memories`.'),
    memory_days: z.int().nullable().describe('How long; null: until the workspace deletes it.'),
    policy_url: z.string(),
  }),
  upcoming_version: UpcomingVersion.describe(
    `A more expensive version that becomes the default at this time, ${NOTICE_DAYS} days after its approval. Runs may name it before.`,
  ),
  channels: z
    .array(
      z.object({
        name: z.string(),
        agent: z.string().describe('What an order names: `<namespace>/<slug>@<channel>`.'),
        version: z.string(),
        pricing,
        upcoming_version: UpcomingVersion.describe('A more expensive version that the channel gets at this time.'),
      }),
    )
    .describe('Named channels beside the default, which is `stable`.'),
  taken_down: TakenDown.nullable(),
  deprecation: Deprecation.nullable(),
  runs: z.int().describe(`Runs that callers started in the last ${QUALITY_DAYS} days: those of its quality.`),
  updated_at: z.iso.datetime(),
});

export const AgentQuality = {
  id: 'AgentQuality',
  schema: z.object({
    object: z.literal('agent.quality'),
    agent: z.string(),
    days: z.literal(QUALITY_DAYS),
    runs: z.int(),
    completed: z.int(),
    completion_rate: z.number().nullable(),
    median_cost_usd: z.number().nullable(),
    median_duration_seconds: z.number().nullable(),
    refund_rate: z.number().nullable(),
  }),
} satisfies NamedSchema;
