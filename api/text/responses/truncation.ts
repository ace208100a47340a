import type { Model } from '../../../db/catalog.ts';
import type { Json } from '../../../providers/provider.ts';
import { countPromptTokens } from '../../../providers/tokens.ts';
import type { ParsedResponses } from '../schema/responses.ts';

/** Of the context, for an answer whose length its caller has not limited. */
const ANSWER_SHARE = 0.25;

/**
 * With `truncation: "auto"`, the request without the oldest messages of its conversation, as many as do not fit into the model's context
 * beside the answer. Instructions and the last message stay, and no answer of a tool is left without its call.
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

/** Where the rest of a conversation begins from which at least so many tokens were dropped. */
function firstKept(conversation: { messages: Json[]; sizes: number[]; begin: number; surplusTokens: number }): number {
  const { messages, sizes, begin } = conversation;
  const last = messages.length - 1;
  let from = begin;
  for (let left = conversation.surplusTokens; left > 0 && from < last; from++) left -= sizes[from]!;
  while (from > begin && from < last && messages[from]!.role === 'tool') from++;
  return from;
}
