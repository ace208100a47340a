import { z } from 'zod';
import { pageQuery } from '../http/page.ts';
import { AGENT_TOOL_NAMES } from '../../tools/tool.ts';
import { RUN_METERS } from '../../db/agents/configuration.ts';
import { modelSettings } from '../../db/agents/modelSettings.ts';

/** A namespace, or the slug of an agent. */
export const SEGMENT = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const segment = z
  .string()
  .max(64)
  .regex(SEGMENT, 'must be lowercase letters and digits, in groups joined by single hyphens');

// A draft may be incomplete: here only the types of its members are checked. Everything else is checked when it is frozen.
const draft = {
  name: z.string().max(1_000),
  description: z.string().max(10_000),
  instructions: z.string().max(200_000),
  tools: z
    .array(z.string().max(64))
    .max(100)
    .describe(`Any of ${[...AGENT_TOOL_NAMES].join(', ')}.`),
  plugins: z.array(z.strictObject({ plugin_id: z.string().max(100), version: z.string().max(100) })).max(100),
  pricing: z.strictObject({
    minimum_cost_usd: z.number(),
    maximum_cost_usd: z.number(),
    rates: z
      .array(
        z.strictObject({ meter: z.enum(Object.keys(RUN_METERS) as [keyof typeof RUN_METERS]), price_usd: z.number() }),
      )
      .max(100),
  }),
  icon_file_id: z.string().max(100).nullable(),
  categories: z.array(z.string().max(100)).max(100),
  example_prompts: z.array(z.string().max(10_000)).max(100),
  ...modelSettings,
};

/** The body that creates an agent: its permanent name, and a complete or partial draft. */
export const NewAgentBody = z.strictObject({
  namespace: segment,
  slug: segment,
  ...z.strictObject(draft).partial().shape,
});

/** The body that changes a draft: sent members replace the stored ones. */
export const DraftBody = z.strictObject(draft).partial();

export const AgentListQuery = z.strictObject({
  ...pageQuery,
});

export const RollbackBody = z.strictObject({ version_id: z.string().regex(/^aver_[0-9A-Za-z]+$/) });

export const CommentBody = z.strictObject({ message: z.string().trim().min(1).max(5_000) });

export type NewAgentInput = z.output<typeof NewAgentBody>;
export type DraftInput = z.output<typeof DraftBody>;
