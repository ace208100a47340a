import type { Model } from '../../../db/catalog.ts';
import type { Json } from '../../../providers/provider.ts';
import { countPromptTokens } from '../../../providers/tokens.ts';
import type { ParsedResponses } from '../schema/responses.ts';

/** Share of the context reserved for an answer without a length limit. */
const ANSWER_SHARE = 0.25;

/**
 * With `truncation: "auto"`, drops as many of the oldest messages as do not fit into the model's context beside the answer. Instructions
 * and the last message stay, and no tool result is left without its call.
 */
export async function truncated(parsed: ParsedResponses, model: Model): Promise<ParsedResponses> {
  const { contextTokens, outputTokensMax, mediaTokens } = model;
  if (parsed.request.truncation !== 'auto' || contextTokens === 0) return parsed;
  const answerTokens = Math.min(parsed.outputTokensMax ?? Math.ceil(contextTokens * ANSWER_SHARE), outputTokensMax);
  const { messages, ...others } = parsed.body as Json & { messages: Json[] };
  const surplusTokens = (await countPromptTokens(parsed.body, mediaTokens)) + answerTokens - contextTokens;
  const begin = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  if (surplusTokens <= 0 || begin === -1) return parsed;
  const sizes = await Promise.all(messages.map((message) => countPromptTokens({ messages: [message] }, mediaTokens)));
  const from = firstKept({ messages, sizes, begin, surplusTokens });
  return { ...parsed, body: { ...others, messages: [...messages.slice(0, begin), ...messages.slice(from)] } };
}

/** The index after which at least this many tokens have been dropped. */
function firstKept(conversation: { messages: Json[]; sizes: number[]; begin: number; surplusTokens: number }): number {
  const { messages, sizes, begin } = conversation;
  const last = messages.length - 1;
  let from = begin;
  for (let left = conversation.surplusTokens; left > 0 && from < last; from++) left -= sizes[from]!;
  while (from > begin && from < last && messages[from]!.role === 'tool') from++;
  return from;
}
