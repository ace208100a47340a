import { chatEvents } from './text/chat.ts';
import { chatAnswer, chatChunks } from './text/chatAnswer.ts';
import { completionAnswer, completionChunks } from './text/completionAnswer.ts';
import { completionEvents } from './text/completions.ts';
import { embed } from './text/embeddings.ts';
import type { Engine } from './text/engine.ts';
import { MODEL_ID } from './modelFile.ts';
import { RequestError } from './requestError.ts';
import { ChatInput, CompletionInput, EmbeddingInput, parseInput } from './text/schema.ts';

/** A handler's answer: whole, or as a stream's items. */
type Reply = { whole: Promise<object> } | { items: AsyncGenerator<object> };

export type Handler = (engine: Engine, body: unknown, signal: AbortSignal) => Reply;

/** The routes that need the model, by method and path. */
export const handlers: Record<string, Handler> = {
  'POST /v1/chat/completions': chat,
  'POST /v1/completions': complete,
  'POST /v1/embeddings': (engine, body, signal) => {
    const input = parseInput(EmbeddingInput, body);
    checkModel(input.model);
    return { whole: embed(engine, input, signal) };
  },
};

function chat(engine: Engine, body: unknown, signal: AbortSignal): Reply {
  const input = parseInput(ChatInput, body);
  checkModel(input.model);
  const events = chatEvents(engine, input, signal);
  if (input.stream) return { items: chatChunks(engine, events, input.stream_options) };
  return { whole: chatAnswer(engine, events) };
}

function complete(engine: Engine, body: unknown, signal: AbortSignal): Reply {
  const input = parseInput(CompletionInput, body);
  checkModel(input.model);
  const events = completionEvents(engine, input, signal);
  const withLogprobs = typeof input.logprobs === 'number';
  if (input.stream) return { items: completionChunks(engine, events, withLogprobs, input.stream_options) };
  return { whole: completionAnswer(engine, events, withLogprobs) };
}

function checkModel(model: string): void {
  if (model === MODEL_ID) return;
  throw new RequestError(
    404,
    'model_not_found',
    `The model '${model}' does not exist; this is '${MODEL_ID}'.`,
    'model',
  );
}
