import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { answerOnce } from './answerOnce.ts';
import { answerStream } from './answerStream.ts';
import { createChatPresenter } from './chatPresenter.ts';
import { findModel } from './models.ts';
import { identify } from './identity.ts';
import { presentChat } from './presentChat.ts';
import type { ParsedText } from './schema/parsed.ts';
import { callOf } from './textCall.ts';

/** `POST /chat/completions`: a chat model's answer, whole or streamed. */
export function createChatCompletion(services: Services): Handler {
  return async (ctx) => {
    const input = ctx.state.input as ParsedText;
    const model = findModel(ctx, services, input.model, 'text');
    const call = callOf(ctx, input, model, 'chat/completions');
    const answer = identify('chatcmpl', model);
    if (input.stream) {
      const { choices, includeUsage } = input;
      await answerStream(ctx, services, call, createChatPresenter({ ...answer, choices, includeUsage }));
      return;
    }
    await answerOnce(ctx, services, call, ({ reply, usage }) => {
      ctx.body = presentChat(reply, { ...answer, usage });
    });
  };
}
