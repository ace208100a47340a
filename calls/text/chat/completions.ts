import type { z } from 'zod';
import type { Json } from '../../../providers/provider.ts';
import type { Handler } from '../../../api/context.ts';
import type { CallServices } from '../../../api/services.ts';
import { answerOnce } from '../answerOnce.ts';
import { answerStream } from '../answerStream.ts';
import { identify, type AnswerIdentity, type BilledUsage, presentUsage, type StreamPresenter } from '../presenter.ts';
import { callOf } from '../textCall.ts';
import { findModel } from '../../../api/text/models.ts';
import type { ParsedText } from '../parameters/parameters.ts';
import type { Completion } from './chatAnswer.ts';
import { createChoicePresenter, type StreamedAnswer } from './choicePresenter.ts';

/** `POST /completions`: the continuation of one or several prompts, whole or streamed. */
export function createCompletion(services: CallServices): Handler<ParsedText> {
  return async (ctx) => {
    const input = ctx.state.input;
    const model = findModel(ctx, services, input.model, 'text');
    const call = callOf(ctx, input, model, 'completions');
    const answer = identify(ctx, model);
    if (input.stream) {
      const { choices, includeUsage } = input;
      await answerStream(ctx, services, call, createCompletionsPresenter({ ...answer, choices, includeUsage }));
      return;
    }
    await answerOnce(ctx, services, call, ({ reply, usage }) => {
      ctx.body = presentCompletion(reply, { ...answer, usage });
    });
  };
}

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
