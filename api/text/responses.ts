import { newId } from '../../db/ids.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { answerOnce } from './answerOnce.ts';
import { answerStream } from './answerStream.ts';
import { findModel } from './models.ts';
import { resolveReferences } from './responses/itemReferences.ts';
import type { OutputItem } from './responses/outputItems.ts';
import { toResponsesError } from './responses/toResponsesError.ts';
import { presentResponse } from './responses/presentResponse.ts';
import { createResponsesPresenter } from './responses/responsesPresenter.ts';
import { truncated } from './responses/truncation.ts';
import type { ParsedResponses } from './schema/responses.ts';
import { callOf } from './textCall.ts';

/**
 * `POST /responses`: the same models in the form of OpenAI's Responses API. Each request carries its history, in full or as references to
 * output items, which are kept for a day unless `store` is false.
 */
export function createResponse(services: Services): Handler {
  return async (ctx) => {
    const parsed = ctx.state.input as ParsedResponses;
    const model = findModel(ctx, services, parsed.model, 'text');
    const input = await truncated(await resolveReferences(ctx, services, parsed), model);
    const call = callOf(ctx, input, model, 'chat/completions');
    const created = Math.floor(Date.now() / 1000);
    const answer = { id: newId('resp'), created, modelId: model.id, echo: input.echo };
    const onOutput = (items: OutputItem[]) => {
      if (input.echo.store) services.db.responseItems.keep(ctx.state.key.workspaceId, items);
    };
    try {
      if (input.stream) {
        const obfuscates = input.request.stream_options?.include_obfuscation === true;
        return await answerStream(ctx, services, call, createResponsesPresenter({ ...answer, obfuscates, onOutput }));
      }
      await answerOnce(ctx, services, call, ({ reply, usage }) => {
        const response = presentResponse(reply, { ...answer, usage });
        onOutput(response.output);
        ctx.body = response;
      });
    } catch (error) {
      throw toResponsesError(error, input.request);
    }
  };
}
