import { newId } from '../../db/ids.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { answerOnce } from './answerOnce.ts';
import { answerStream } from './answerStream.ts';
import { findModel } from './findModel.ts';
import { refusalInOwnWords } from './responses/refusalInOwnWords.ts';
import { presentResponse } from './responses/presentResponse.ts';
import { createResponsesPresenter } from './responses/responsesPresenter.ts';
import type { ParsedResponses } from './schema/responses.ts';
import { callOf } from './textCall.ts';

/** `POST /responses`: the same models in the shape of OpenAI's Responses API. Nothing is stored: each request carries its history. */
export function createResponse(services: Services): Handler {
  return async (ctx) => {
    const input = ctx.state.input as ParsedResponses;
    const model = findModel(ctx, services, input.model, 'text');
    const call = callOf(ctx, input, model, 'chat/completions');
    const created = Math.floor(Date.now() / 1000);
    const answer = { id: newId('resp'), created, modelId: model.id, echo: input.echo };
    try {
      if (input.stream) return await answerStream(ctx, services, call, createResponsesPresenter(answer));
      const { reply, usage } = await answerOnce(ctx, services, call);
      ctx.body = presentResponse(reply, { ...answer, usage });
    } catch (error) {
      throw refusalInOwnWords(error, input.request);
    }
  };
}
