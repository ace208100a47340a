import type { ChatCompletion, ChatCompletionMessage } from 'openai/resources/chat/completions';
import type { Json, Usage } from '../../providers/provider.ts';
import type { AnswerIdentity } from './identity.ts';
import { presentUsage } from './presentUsage.ts';

type Choice = ChatCompletion.Choice;

/**
 * A whole upstream answer as the client of `chat/completions` expects it: the platform's id, time and model, every member
 * that typed clients require (null where empty), and what else a choice carries unchanged (tool calls, reasoning, log probabilities).
 */
export function presentChat(reply: Json, answer: AnswerIdentity & { usage: Usage }): ChatCompletion {
  const { choices, system_fingerprint, service_tier, moderation, usage } = reply as Partial<ChatCompletion>;
  return {
    id: answer.id,
    object: 'chat.completion',
    created: answer.created,
    model: answer.modelId,
    choices: (choices ?? []).map(presentChoice),
    usage: presentUsage(answer.usage, usage),
    ...(service_tier !== undefined && { service_tier }),
    ...(moderation !== undefined && { moderation }),
    ...(system_fingerprint !== undefined && { system_fingerprint }),
  };
}

function presentChoice(choice: Partial<Choice>, position: number): Choice {
  const message: Partial<ChatCompletionMessage> = choice.message ?? {};
  return {
    index: choice.index ?? position,
    message: { ...message, role: 'assistant', content: message.content ?? null, refusal: message.refusal ?? null },
    logprobs: choice.logprobs ?? null,
    finish_reason: choice.finish_reason ?? 'stop',
  };
}
