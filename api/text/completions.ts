import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { answerOnce } from './answerOnce.ts';
import { answerStream } from './answerStream.ts';
import { createCompletionsPresenter } from './completionsPresenter.ts';
import { findModel } from './models.ts';
import { identify } from './identity.ts';
import { presentCompletion } from './presentCompletion.ts';
import type { ParsedText } from './schema/parsed.ts';
import { callOf } from './textCall.ts';

/** `POST /completions`: the continuation of one or several prompts, whole or streamed. */
export function createCompletion(services: Services): Handler {
  return async (ctx) => {
    const input = ctx.state.input as ParsedText;
    const model = findModel(ctx, services, input.model, 'text');
    const call = callOf(ctx, input, model, 'completions');
    const answer = identify('cmpl', model);
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
