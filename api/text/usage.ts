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
    // Vectors are no output. A text without its tokens is not free: it is counted.
    outputTokens: (call.path === 'embeddings' ? 0 : told.completion_tokens) as number,
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
  // Upstreams name what the model thought in one of two ways, and some in both.
  for (const said of [part.content, part.text, part.reasoning_content ?? part.reasoning, part.refusal]) {
    if (typeof said === 'string') text += said;
  }
  for (const { function: called, custom } of (part.tool_calls ?? []) as Called[]) {
    text += (called?.name ?? '') + (called?.arguments ?? '') + (custom?.name ?? '') + (custom?.input ?? '');
  }
  return text;
}

interface Called {
  function?: { name?: string; arguments?: string };
  custom?: { name?: string; input?: string };
}
