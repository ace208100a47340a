import { readUsage } from '../../providers/metering/readUsage.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import { countPromptTokens, countTokens } from '../../providers/tokens.ts';
import type { TextCall } from './textCall.ts';

// What a chat template may add to a prompt beyond the bytes that the caller sent.
const TEMPLATE_TOKENS = 1_000;

/**
 * Usage as reported by the upstream, or undefined when it reported none or an implausible one (negative, not a number, more than the
 * request could have consumed): then the tokens are counted here.
 */
export function usageOf({ usage: told }: Json, call: TextCall): Usage | undefined {
  if (!told) return undefined;
  const { bodyBytes, choices, model, path } = call;
  const inputTokensMax = Math.max(bodyBytes + TEMPLATE_TOKENS, model.contextTokens);
  // Vectors are no output. A text whose tokens are missing is counted, not free.
  if (path === 'embeddings') {
    const { prompt_tokens } = told as Json;
    return readUsage({ prompt_tokens, completion_tokens: 0 }, { inputTokensMax, outputTokensMax: 0 });
  }
  return readUsage(told, { inputTokensMax, outputTokensMax: model.outputTokensMax * choices });
}

/** Counts what an upstream did not report: the prompt as sent, and the generated texts. */
export async function countUsage(call: TextCall, producedTexts: string[]): Promise<Usage> {
  const [inputTokens, ...counts] = await Promise.all([
    countPromptTokens(call.body, call.model.mediaTokens),
    ...producedTexts.map(countTokens),
  ]);
  return { inputTokens, outputTokens: counts.reduce((sum, tokens) => sum + tokens, 0) };
}
