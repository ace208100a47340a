import type { z } from 'zod';
import type { Json } from '../../../providers/provider.ts';
import type { AnswerIdentity, StreamPresenter } from '../presenter.ts';
import { presentUsage, type BilledUsage } from '../usage.ts';
import type { ChatCompletion, ChatCompletionChunk } from './chatAnswer.ts';
import { createChoicePresenter, type NumberCalls, type StreamedAnswer } from './choicePresenter.ts';
import { knownTier, wholeCalls, wholeLogprobs } from './vendorForms.ts';

type Answer = z.infer<typeof ChatCompletion>;
type Choice = Answer['choices'][number];

/**
 * A whole upstream answer as the client of `chat/completions` expects it: the platform's id, time and model, every member
 * that typed clients require (null where empty), and what else a choice carries unchanged (tool calls, reasoning, log probabilities).
 */
export function presentChat(reply: Json, answer: AnswerIdentity & { usage: BilledUsage }): Answer {
  const { choices, system_fingerprint, service_tier, moderation, usage } = reply as Partial<Answer>;
  return {
    id: answer.id,
    object: 'chat.completion',
    created: answer.created,
    model: answer.modelId,
    choices: (choices ?? []).map(presentChoice),
    usage: presentUsage(answer.usage, usage),
    ...(knownTier(service_tier) && { service_tier }),
    ...(moderation !== undefined && { moderation }),
    ...(system_fingerprint !== undefined && { system_fingerprint }),
  };
}

function presentChoice(choice: Partial<Choice>, position: number): Choice {
  const message: Partial<Choice['message']> = choice.message ?? {};
  return {
    index: choice.index ?? position,
    message: {
      ...message,
      role: 'assistant',
      content: message.content ?? null,
      refusal: message.refusal ?? null,
      ...(message.tool_calls && { tool_calls: wholeCalls(message.tool_calls) }),
    },
    logprobs: wholeLogprobs(choice.logprobs),
    finish_reason: choice.finish_reason ?? 'stop',
  };
}

type ChunkChoice = z.infer<typeof ChatCompletionChunk>['choices'][number];
type FinishReason = ChunkChoice['finish_reason'];

/**
 * Presents an upstream's chat chunks as clients of `chat/completions` expect them: the role in each choice's first chunk and nowhere
 * else; everything else in a delta (tool calls, reasoning, refusals) unchanged.
 */
export function createChatPresenter(answer: StreamedAnswer): StreamPresenter {
  return createChoicePresenter<ChunkChoice>(
    'chat.completion.chunk',
    answer,
    (choice, place, { isFirst, numbered }) => ({
      index: place.index,
      delta: withCalls(withRole(choice.delta ?? {}, isFirst), numbered, place.finish_reason),
      logprobs: wholeLogprobs(choice.logprobs),
      finish_reason: place.finish_reason as FinishReason,
    }),
  );
}

function withCalls(
  delta: ChunkChoice['delta'],
  numbered: NumberCalls,
  finishReason: string | null,
): ChunkChoice['delta'] {
  const calls = delta.tool_calls?.length ? numbered.of(delta.tool_calls) : [];
  // Arguments that were cut short stay as they are.
  const rest = finishReason === 'tool_calls' || finishReason === 'stop' ? numbered.rest() : [];
  return calls.length + rest.length === 0 ? delta : { ...delta, tool_calls: [...calls, ...rest] };
}

function withRole(delta: ChunkChoice['delta'], isFirst: boolean): ChunkChoice['delta'] {
  if (isFirst) return { ...delta, role: 'assistant' };
  if (delta.role === undefined) return delta;
  const { role: _repeated, ...rest } = delta;
  return rest;
}
