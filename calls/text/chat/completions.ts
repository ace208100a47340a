import type { z } from 'zod';
import type { Json } from '../../../providers/provider.ts';
import type { AnswerIdentity, StreamPresenter } from '../presenter.ts';
import { presentUsage, type BilledUsage } from '../usage.ts';
import type { Completion } from './chatAnswer.ts';
import { createChoicePresenter, type StreamedAnswer } from './choicePresenter.ts';

type Answer = z.infer<typeof Completion>;
type Choice = Answer['choices'][number];

/** A whole upstream answer as the client of `completions` expects it, with every member that typed clients require. */
export function presentCompletion(reply: Json, answer: AnswerIdentity & { usage: BilledUsage }): Answer {
  const { choices, system_fingerprint, usage } = reply as Partial<Answer>;
  return {
    id: answer.id,
    object: 'text_completion',
    created: answer.created,
    model: answer.modelId,
    choices: (choices ?? []).map((choice: Partial<Choice>, position) => ({
      index: choice.index ?? position,
      text: choice.text ?? '',
      logprobs: choice.logprobs ?? null,
      finish_reason: reasonOf(choice.finish_reason ?? 'stop'),
    })),
    usage: presentUsage(answer.usage, usage),
    ...(system_fingerprint !== undefined && { system_fingerprint }),
  };
}

/** Presents an upstream's completion chunks as the client of `completions` expects them. */
export function createCompletionsPresenter(answer: StreamedAnswer): StreamPresenter {
  return createChoicePresenter<Choice>('text_completion', answer, (choice, place) => ({
    index: place.index,
    text: choice.text ?? '',
    logprobs: choice.logprobs ?? null,
    finish_reason: reasonOf(place.finish_reason as Choice['finish_reason']),
  }));
}

/** Completions call no tools. */
const reasonOf = (reason: Choice['finish_reason']): Choice['finish_reason'] =>
  reason === 'tool_calls' || reason === 'function_call' ? 'stop' : reason;
