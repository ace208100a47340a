import { z } from 'zod';
import { usdOf } from '../../db/money.ts';
import type { Json, Usage } from '../../providers/provider.ts';

/** A usage, and what was charged for it in nano-USD. */
export interface BilledUsage extends Usage {
  chargedNanos?: bigint;
}

/** What an answer was charged. */
export const cost = z.number().optional().describe('What was charged, in US dollars: the amount in the ledger.');

export const UsageAnswer = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int().describe('Reasoning tokens included: they are billed as output.'),
  total_tokens: z.int(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.int() }),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
  cost,
});

/**
 * The billed usage as chat, completions and their streams show it. Further details of the upstream (`upstream`, the `usage` member of its
 * answer) are kept beside it.
 */
export function presentUsage(usage: BilledUsage, upstream?: unknown): z.infer<typeof UsageAnswer> {
  const said = asObject(upstream);
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { ...asObject(said.prompt_tokens_details), cached_tokens: usage.cachedInputTokens ?? 0 },
    completion_tokens_details: {
      ...asObject(said.completion_tokens_details),
      reasoning_tokens: usage.reasoningTokens ?? 0,
    },
    ...costOf(usage),
  };
}

/** The member of a usage that holds the charge in US dollars, as in OpenRouter's answers. */
export function costOf({ chargedNanos }: BilledUsage): { cost?: number } {
  return chargedNanos === undefined ? {} : { cost: usdOf(chargedNanos) };
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
