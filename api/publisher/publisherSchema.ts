import { z } from 'zod';
import { MeterName } from '../agents/agentAnswers.ts';
import { month } from '../body/timeRange.ts';
import { pageQuery } from '../http/page.ts';
import { AGENT_TOOL_NAMES } from '../../tools/tool.ts';
import { NANO_DIGITS, RATE_DIGITS, usd } from '../../db/agents/configuration.ts';
import { memorySettings } from '../../db/agents/memorySettings.ts';
import { modelSettings } from '../../db/agents/modelSettings.ts';
import { isWholeCents } from '../../db/money.ts';
import { usdAmount } from '../body/usdAmount.ts';
import { TEST_OUTCOMES } from '../../contracts/test.ts';
import { SEGMENT } from '../../base/agentNames.ts';

const segment = z
  .string()
  .max(64)
  .regex(SEGMENT, 'must be lowercase letters and digits, in groups joined by single hyphens');

/** Prices with which a run can be priced; those of a draft may be anything. */
export const soldPrices = z.strictObject({
  minimum_cost_usd: usd(NANO_DIGITS),
  maximum_cost_usd: usd(NANO_DIGITS),
  rates: z.array(z.strictObject({ meter: MeterName, price_usd: usd(RATE_DIGITS) })).max(100),
});

// A draft may be incomplete: only the types of its members are checked here, the rest when it is frozen.
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
    rates: z.array(z.strictObject({ meter: MeterName, price_usd: z.number() })).max(100),
  }),
  icon_file_id: z.string().max(100).nullable(),
  categories: z.array(z.string().max(100)).max(100),
  example_prompts: z.array(z.string().max(10_000)).max(100),
  ...modelSettings,
  ...memorySettings,
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

/** A publisher's provider data. Sent members replace the stored ones. */
export const NamespaceBody = z.strictObject({
  provider_name: z.string().trim().min(1).max(100).optional(),
  website: z
    .url({ protocol: /^https$/ })
    .max(500)
    .nullable()
    .optional(),
});

/** Whether an operator has verified the publisher's identity. */
export const VerificationBody = z.strictObject({ verified: z.boolean().default(true) });

const AMOUNT_USD_MAX = 1_000_000;

export const PayoutBody = z
  .strictObject({
    amount_usd: usdAmount
      .positive()
      .max(AMOUNT_USD_MAX)
      .optional()
      .describe('All that may be paid out now, when left out. Of a transfer, whole cents.'),
    to: z.enum(['balance', 'transfer']),
  })
  .refine(({ to, amount_usd: usd }) => to === 'balance' || usd === undefined || isWholeCents(usd), {
    path: ['amount_usd'],
    error: 'A transfer is of whole cents.',
  });

export const PayoutQuery = z.strictObject(pageQuery);

export const TestReviewBody = z.strictObject({ outcome: z.enum(TEST_OUTCOMES) });

export const StatementQuery = z.strictObject({
  month: month.optional(),
  format: z.enum(['json', 'csv']).default('json'),
});
