import type { Completion, CompletionChoice } from 'openai/resources/completions';
import type { Json, Usage } from '../../providers/provider.ts';
import { createChoicePresenter, type StreamedAnswer } from './choicePresenter.ts';
import type { AnswerIdentity } from './identity.ts';
import type { StreamPresenter } from './presenter.ts';
import { presentUsage } from './presentUsage.ts';

type Choice = Omit<CompletionChoice, 'finish_reason'> & { finish_reason: CompletionChoice['finish_reason'] | null };

/** A whole upstream answer as the client of `completions` expects it, with every member that typed clients require. */
export function presentCompletion(reply: Json, answer: AnswerIdentity & { usage: Usage }): Completion {
  const { choices, system_fingerprint, usage } = reply as Partial<Completion>;
  return {
    id: answer.id,
    object: 'text_completion',
    created: answer.created,
    model: answer.modelId,
    choices: (choices ?? []).map((choice: Partial<CompletionChoice>, position) => ({
      index: choice.index ?? position,
      text: choice.text ?? '',
      logprobs: choice.logprobs ?? null,
      finish_reason: choice.finish_reason ?? 'stop',
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
    finish_reason: place.finish_reason as Choice['finish_reason'],
  }));
}
