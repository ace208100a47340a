import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { createChoicePresenter, type StreamedAnswer } from './choicePresenter.ts';
import type { StreamPresenter } from './presenter.ts';

type Choice = ChatCompletionChunk.Choice;
type FinishReason = Choice['finish_reason'];

/**
 * Presents an upstream's chat chunks as clients of `chat/completions` expect them: the role in each choice's first chunk and nowhere
 * else; everything else in a delta (tool calls, reasoning, refusals) unchanged.
 */
export function createChatPresenter(answer: StreamedAnswer): StreamPresenter {
  return createChoicePresenter<Choice>('chat.completion.chunk', answer, (choice, place, isFirst) => ({
    index: place.index,
    delta: withRole(choice.delta ?? {}, isFirst),
    logprobs: choice.logprobs ?? null,
    finish_reason: place.finish_reason as FinishReason,
  }));
}

function withRole(delta: Choice['delta'], isFirst: boolean): Choice['delta'] {
  if (isFirst) return { ...delta, role: 'assistant' };
  if (delta.role === undefined) return delta;
  const { role: _repeated, ...rest } = delta;
  return rest;
}
