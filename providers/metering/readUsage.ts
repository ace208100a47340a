import type { Usage } from '../provider.ts';
import { isObject } from '../../base/json.ts';
import { countTokens } from './tokens.ts';

/** The allowed ratio between our count and the upstream's, in either direction: tokenizers differ. */
export const TOLERANCE = 4;
// The least bytes a token of text in any common language: if a report is plausible by this, nothing is counted.
const BYTES_A_TOKEN = 3;

/** The greatest possible usage of a call: anything larger is implausible. */
export interface UsageBounds {
  inputTokensMax: number;
  outputTokensMax: number;
}

/**
 * The `usage` member of an upstream's answer, chunk or event, by either of OpenAI's names. Undefined when it is missing or implausible (not
 * counts, negative, beyond the bounds): then the tokens are counted here. Output is the total without the prompt: some upstreams count
 * reasoning beside `completion_tokens`, and reasoning is billed as output.
 */
export function readUsage(reported: unknown, bounds: UsageBounds): Usage | undefined {
  if (!isObject(reported)) return undefined;
  const { total_tokens: totalTokens } = reported;
  const inputTokens = reported.prompt_tokens ?? reported.input_tokens;
  const completionTokens = reported.completion_tokens ?? reported.output_tokens;
  if (!isCount(inputTokens, bounds.inputTokensMax) || !isCount(completionTokens)) return undefined;
  const { reasoning_tokens: reasoning } = objectIn(
    reported.completion_tokens_details ?? reported.output_token_details ?? reported.output_tokens_details,
  );
  const reasoningTokens = isCount(reasoning, bounds.outputTokensMax) ? reasoning : undefined;
  const outputTokens = Math.max(
    completionTokens,
    isCount(totalTokens) ? totalTokens - inputTokens : 0,
    // Reasoning above the completion tokens is counted in addition, whatever the total.
    reasoningTokens !== undefined && reasoningTokens > completionTokens ? completionTokens + reasoningTokens : 0,
  );
  if (outputTokens > bounds.outputTokensMax) return undefined;
  const promptDetails = reported.prompt_tokens_details ?? reported.input_token_details ?? reported.input_tokens_details;
  return { inputTokens, outputTokens, reasoningTokens, ...promptPartsOf(promptDetails, inputTokens) };
}

/** No more output than was asked for is billed, whatever an upstream has written or reported. */
export function withinLimit(usage: Usage, limitTokens: number): Usage {
  const { outputTokens, reasoningTokens } = usage;
  if (outputTokens <= limitTokens) return usage;
  const reasoning = reasoningTokens !== undefined && { reasoningTokens: Math.min(reasoningTokens, limitTokens) };
  return { ...usage, outputTokens: limitTokens, ...reasoning };
}

/** Whether texts of so many bytes may exceed the reported output: then they have to be counted. */
export const mayBeTooLittle = (outputTokens: number, bytes: number): boolean =>
  bytes > outputTokens * TOLERANCE * BYTES_A_TOKEN;

/** Whether the reported output is wrong: far too little for these texts. */
export async function isTooLittle(outputTokens: number, texts: string[]): Promise<boolean> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (!mayBeTooLittle(outputTokens, bytes)) return false;
  const counts = await Promise.all(texts.map(countTokens));
  return counts.reduce((sum, tokens) => sum + tokens, 0) > outputTokens * TOLERANCE;
}

/** The prompt tokens read from a cache, and written to one. */
function promptPartsOf(details: unknown, inputTokens: number): Pick<Usage, 'cachedInputTokens' | 'cacheWriteTokens'> {
  const { cached_tokens: cached, cache_write_tokens: written } = objectIn(details);
  const cachedInputTokens = isCount(cached, inputTokens) ? cached : undefined;
  const cacheWriteTokens = isCount(written, inputTokens - (cachedInputTokens ?? 0)) ? written : undefined;
  return { cachedInputTokens, cacheWriteTokens };
}

const objectIn = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

function isCount(value: unknown, max = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
}
