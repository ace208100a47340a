import type { CompletionUsage } from 'openai/resources/completions';
import type { Json, Usage } from '../../providers/provider.ts';

/**
 * The billed usage as chat, completions and their streams show it. Further details of the upstream (`upstream`, the `usage` member of its
 * answer) are kept beside it.
 */
export function presentUsage(usage: Usage, upstream?: unknown): CompletionUsage {
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
  };
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
