import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { ResponseAnswer, ResponseEvent } from '../../../calls/text/responses/responseAnswer.ts';
import { ChatCompletion, ChatCompletionChunk, Completion } from '../../../calls/text/chat/chatAnswer.ts';
import { Embeddings, presentEmbeddings } from '../../../calls/text/embeddings.ts';
import { createChatPresenter, presentChat } from '../../../calls/text/chat/chat.ts';
import { createCompletionsPresenter, presentCompletion } from '../../../calls/text/chat/completions.ts';
import { presentResponse } from '../../../calls/text/responses/presentResponse.ts';
import { createResponsesPresenter } from '../../../calls/text/responses/responsesPresenter.ts';
import { parseResponses } from '../../../calls/text/responses/responsesRequest.ts';
import { readJson } from '../../support/streams.ts';

const answer = { id: 'id-1', created: 1700000000, modelId: 'swift' };
const usage = { inputTokens: 2, outputTokens: 3 };
const { echo } = parseResponses({ model: 'swift', input: 'Hi', tools: [{ type: 'function', name: 'find' }] });

const tool_calls = [{ index: 0, id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }];
const message = { role: 'assistant', content: 'Hi', reasoning_content: 'Hm.', tool_calls };
const chatReply = { choices: [{ message, finish_reason: 'tool_calls' }] };
const customCall = { id: 'c1', type: 'custom', custom: { name: 'note', input: 'Hi' } };
const customReply = { choices: [{ message: { tool_calls: [customCall] }, finish_reason: 'tool_calls' }] };
const chatChunks = [
  { choices: [{ index: 0, delta: message }] },
  { choices: [{ index: 0, delta: { refusal: 'No.' }, finish_reason: 'stop' }] },
];
const streamed = { ...answer, choices: 1, includeUsage: true };
const error = { message: 'Broke.', type: 'api_error', param: null, code: 'provider_failed' } as const;

function errorsOf(schema: z.ZodType, value: unknown) {
  // Through JSON, as a client receives it.
  return schema.safeParse(JSON.parse(JSON.stringify(value))).error?.issues ?? [];
}

describe('actual answers match their documented schema', () => {
  test.each([
    ['chat', ChatCompletion, presentChat(chatReply, { ...answer, usage })],
    ['chat with a custom tool', ChatCompletion, presentChat(customReply, { ...answer, usage })],
    ['completions', Completion, presentCompletion({ choices: [{ text: 'a' }] }, { ...answer, usage })],
    ['responses', ResponseAnswer, presentResponse(chatReply, { ...answer, usage, echo })],
    [
      'embeddings',
      Embeddings,
      presentEmbeddings({ data: [{ embedding: [1] }] }, { modelId: 'v', encodingFormat: 'base64', usage }),
    ],
  ])('by %s', (_name, schema, presented) => {
    expect(errorsOf(schema, presented)).toEqual([]);
  });

  test.each([
    ['chat', ChatCompletionChunk, createChatPresenter(streamed), chatChunks],
    ['completions', Completion, createCompletionsPresenter(streamed), [{ choices: [{ text: 'a' }] }]],
    ['responses', ResponseEvent, createResponsesPresenter({ ...answer, echo }), chatChunks],
  ])('by a stream of %s', (_name, schema, presenter, chunks) => {
    const sent = presenter.start() + presenter.push(chunks) + presenter.end({ usage, cutShort: true });
    const events = readJson(sent);
    expect(events.length).toBeGreaterThan(2);
    for (const event of events) expect(errorsOf(schema, event)).toEqual([]);
  });

  test('by a response stream that breaks', () => {
    const presenter = createResponsesPresenter({ ...answer, echo });
    const events = readJson(presenter.start() + presenter.fail(error));
    expect(events.length).toBeGreaterThan(1);
    for (const event of events) expect(errorsOf(ResponseEvent, event)).toEqual([]);
  });
});
