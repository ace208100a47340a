import type { Json, Usage } from '../../providers/provider.ts';
import { countPromptTokens, countTokens } from '../../providers/tokens.ts';
import { capTokensOf, type TextCall } from './textCall.ts';

// What a chat template may add to a prompt beyond the bytes that the caller sent.
const TEMPLATE_TOKENS = 1_000;

/**
 * Usage as the upstream told it, or undefined when it told none or none that can be true (negative, no numbers, more than the
 * request could have consumed): then the tokens are counted here.
 */
export function usageOf(reply: Json, call: TextCall): Usage | undefined {
  const told = reply.usage as Json | null | undefined;
  if (!told) return undefined;
  const usage: Usage = {
    inputTokens: told.prompt_tokens as number,
    outputTokens: (told.completion_tokens ?? 0) as number,
    cachedInputTokens: (told.prompt_tokens_details as Json | null | undefined)?.cached_tokens as number | undefined,
    reasoningTokens: (told.completion_tokens_details as Json | null | undefined)?.reasoning_tokens as
      number | undefined,
  };
  return isPlausible(usage, call) ? usage : undefined;
}

function isPlausible({ inputTokens, outputTokens }: Usage, call: TextCall): boolean {
  const inputMax = Math.max(call.bodyBytes + TEMPLATE_TOKENS, call.model.contextTokens);
  const outputMax = Math.max(capTokensOf(call), call.model.outputTokensMax) * call.choices;
  return isCount(inputTokens, inputMax) && isCount(outputTokens, outputMax);
}

function isCount(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
}

/** Counts what an upstream did not tell: the prompt as sent, and the texts that were produced. */
export async function countUsage(call: TextCall, producedTexts: string[]): Promise<Usage> {
  const [inputTokens, ...counts] = await Promise.all([countPromptTokens(call.body), ...producedTexts.map(countTokens)]);
  return { inputTokens, outputTokens: counts.reduce((sum, tokens) => sum + tokens, 0) };
}

/** Everything a model wrote in one message, delta or completion choice: text, reasoning, refusals and calls count as output. */
export function textOfChoice(choice: Json): string {
  const part = (choice.delta ?? choice.message ?? choice) as Json;
  let text = '';
  for (const name of ['content', 'text', 'reasoning_content', 'refusal']) {
    if (typeof part[name] === 'string') text += part[name];
  }
  for (const call of (part.tool_calls ?? []) as { function?: { name?: string; arguments?: string } }[]) {
    text += (call.function?.name ?? '') + (call.function?.arguments ?? '');
  }
  return text;
}
