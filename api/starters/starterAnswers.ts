import { z } from 'zod';
import { CatalogModelAnswer, usdPerMillion } from '../catalog/catalogAnswers.ts';

const time = z.iso.datetime();

export const AgentModelAnswer = z.object({
  object: z.literal('catalog.agent_model'),
  model: z.string().describe('The model of agents that name none.'),
  is_rehearsed: z.boolean().describe('Rules answer in place of a language model.'),
  source: z.enum(['file', 'operator']).describe('`file`: the catalogue file, or a variable of the environment.'),
  chosen_by: z.string().nullable(),
  chosen_at: time.nullable(),
  awaited: z
    .object({ model: z.string(), chosen_by: z.string(), chosen_at: time })
    .nullable()
    .describe('A model that agents use once it has been fetched.'),
});

export const EngineAnswer = z.object({
  object: z.literal('catalog.engine'),
  name: z.string(),
  model: z.string().describe('The model of the catalogue that it answers for.'),
  title: z.string(),
  licence: z.string(),
  state: z
    .enum(['absent', 'fetching', 'fetched', 'loading', 'ready', 'failed', 'unreachable'])
    .describe('`fetched`: it is loaded by the first call. `unreachable`: the model’s process does not answer.'),
  message: z.string().nullable(),
  bytes: z.int().describe('What has arrived of the fetch.'),
  whole_bytes: z.int(),
  percentage: z.int(),
  disk_bytes: z.int(),
  disk_bytes_while_fetched: z.int(),
  memory_bytes: z.int(),
  measured: z.object({ tokens_per_second: z.number(), seconds_per_task: z.number(), on: z.string() }),
  machine: z
    .object({
      cores: z.int(),
      threads: z.int().describe('`EMBEDDED_THREADS`.'),
      memory_bytes: z.int(),
      memory_available_bytes: z.int(),
      disk_available_bytes: z.int(),
    })
    .nullable()
    .describe('That of the model’s process.'),
  usd_per_million: usdPerMillion,
});

const VendorAnswer = z.object({
  id: z.string(),
  name: z.string(),
  base_url: z.string(),
  keys_at: z.string().describe('Where the vendor hands out keys.'),
  note: z.string().nullable(),
  has_key: z.boolean().describe('The catalogue has a key for its address.'),
  models: z.array(
    z.object({
      model: z.string(),
      usd_per_million: usdPerMillion.describe('The vendor’s list price.'),
      context_tokens: z.int(),
      output_tokens_max: z.int(),
      note: z.string().nullable(),
      is_sold: z.boolean(),
    }),
  ),
});

export const StarterList = z.object({
  object: z.literal('catalog.starters'),
  agents: AgentModelAnswer,
  can_seal: z.boolean().describe('Whether keys can be stored: `CATALOG_SECRETS_KEY` is set.'),
  priced_at: z.iso.date().describe('The day of the list prices.'),
  vendors: z.array(VendorAnswer),
  engines: z.array(EngineAnswer),
});

export const StarterProbeAnswer = z.object({
  object: z.literal('catalog.starter_probe'),
  ok: z.boolean(),
  param: z.enum(['api_key', 'base_url', 'model']).nullable().describe('What is at fault.'),
  error: z.string().nullable(),
  answer: z.string().nullable(),
  calls_tools: z.boolean().nullable().describe('Whether it called the tool that it was offered: agents need that.'),
  duration_ms: z.int().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  list_price: usdPerMillion.nullable().describe('Null: the list does not have this model, so state its price.'),
  present_price: usdPerMillion.nullable().describe('What it is sold at already; two persons decide on another price.'),
});

export const StarterAnswer = z.object({
  object: z.literal('catalog.starter'),
  upstream: z.string(),
  model: CatalogModelAnswer,
  agents: AgentModelAnswer,
  probe: StarterProbeAnswer,
});
