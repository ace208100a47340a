import { newId } from '../../db/ids.ts';
import type { Context, Handler } from '../context.ts';
import { modelNotFound } from '../errors/requestErrors.ts';
import type { Model } from '../../db/catalog.ts';
import type { TextPath } from '../../providers/provider.ts';
import type { Services } from '../services.ts';
import { answerOnce } from './answerOnce.ts';
import { answerStream } from './answerStream.ts';
import { createChatPresenter } from './chatPresenter.ts';
import type { AnswerIdentity } from './identity.ts';
import { presentChat } from './presentChat.ts';
import type { ParsedText } from './schema/parsed.ts';
import type { TextCall } from './textCall.ts';

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
    const { reply, usage } = await answerOnce(ctx, services, call);
    ctx.body = presentChat(reply, { ...answer, usage });
  };
}

/** The call that a parsed request makes at an upstream. */
export function callOf(ctx: Context, input: ParsedText, model: Model, path: TextPath): TextCall {
  const { body, outputTokensMax, choices, outputCapParam } = input;
  return {
    route: ctx.state.route,
    path,
    model,
    body,
    bodyBytes: ctx.state.bodyBytes,
    outputTokensMax,
    choices,
    outputCapParam,
  };
}

/** The catalogue's model of that name and kind. Throws 404 `model_not_found`, whose message names the nearest one. */
export function findModel(ctx: Context, { catalog }: Services, name: string, kind: Model['kind']): Model {
  const model = catalog.findOfKind(name, kind);
  if (!model) throw modelNotFound(name, catalog.nearest(name, kind));
  ctx.state.log.model = model.id;
  return model;
}

/** Id, time and model of a new answer. */
export function identify(prefix: string, model: Model): AnswerIdentity {
  return { id: newId(prefix).replace('_', '-'), created: Math.floor(Date.now() / 1000), modelId: model.id };
}
