import type { CompletionChoice } from 'openai/resources/completions';
import { createChoicePresenter, type StreamedAnswer } from './choicePresenter.ts';
import type { StreamPresenter } from './presenter.ts';

type Choice = Omit<CompletionChoice, 'finish_reason'> & { finish_reason: CompletionChoice['finish_reason'] | null };

/** Presents an upstream's completion chunks as the client of `completions` expects them. */
export function createCompletionsPresenter(answer: StreamedAnswer): StreamPresenter {
  return createChoicePresenter<Choice>('text_completion', answer, (choice, place) => ({
    index: place.index,
    text: choice.text ?? '',
    logprobs: choice.logprobs ?? null,
    finish_reason: place.finish_reason as Choice['finish_reason'],
  }));
}
