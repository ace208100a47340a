import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import type { Response as OpenAIResponse } from 'openai/resources/responses/responses';
import { presentResponse } from '../../../../calls/text/responses/presentResponse.ts';
import { createResponsesPresenter } from '../../../../calls/text/responses/responsesPresenter.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';
import type { Json } from '../../../../providers/provider.ts';
import { readFrames } from '../../../support/streams.ts';

interface Event extends Json {
  type: string;
  sequence_number: number;
  item_id?: string;
  item?: { id: string; status: string; type: string };
  response?: OpenAIResponse;
}

const { echo } = parseResponses({ model: 'swift', input: 'Hello' });
const answer = { id: 'resp_1', created: 1700000000, modelId: 'swift', echo };
const ended = { usage: { inputTokens: 5, outputTokens: 4 }, cutShort: false };

const delta = (members: Json, more: Json = {}): Json => ({ choices: [{ index: 0, delta: members, ...more }] });
const text = (content: string) => delta({ content });
const finish = (finish_reason: string): Json => delta({}, { finish_reason });
const callPiece = (piece: Json) => delta({ tool_calls: [piece] });
const callStart = (index: number, id: string, name = 'find', args = '') =>
  callPiece({ index, id, type: 'function', function: { name, arguments: args } });

function streamText(chunks: Json[], end: Partial<typeof ended> = {}): string {
  const presenter = createResponsesPresenter(answer);
  return presenter.start() + presenter.push(chunks) + presenter.end({ ...ended, ...end });
}

const eventsOf = (sent: string) => readFrames(sent).map(({ data }) => JSON.parse(data) as Event);
const typesOf = (events: Event[]) => events.map(({ type }) => type.replace('response.', ''));

describe('the events of a response stream', () => {
  test('are named by the type in their data and numbered from 0, without [DONE]', () => {
    const sent = streamText([delta({ role: 'assistant', content: '' }), text('Hi'), finish('stop')]);
    const events = eventsOf(sent);
    expect(readFrames(sent).map(({ event }) => event)).toEqual(events.map(({ type }) => type));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(sent).not.toContain('[DONE]');
  });

  test('of a text are sent in the documented order', () => {
    const events = eventsOf(
      streamText([delta({ role: 'assistant', content: '' }), text('Hi'), text(' you'), finish('stop')]),
    );
    expect(typesOf(events)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(events[2]).toMatchObject({ output_index: 0, item: { status: 'in_progress', content: [] } });
    expect(events[3]).toMatchObject({ part: { type: 'output_text', text: '', annotations: [] } });
    const place = { item_id: events[2]!.item!.id, output_index: 0, content_index: 0 };
    expect(events[4]).toMatchObject({ ...place, delta: 'Hi', logprobs: [] });
    expect(events[6]).toMatchObject({ ...place, text: 'Hi you', logprobs: [] });
    expect(events[8]).toMatchObject({ item: { status: 'completed', content: [{ text: 'Hi you' }] } });
  });

  test("of function calls are sent call by call, with the upstream's ids", () => {
    const chunks = [
      callStart(0, 'c1'),
      callPiece({ index: 0, function: { arguments: '{"a"' } }),
      callPiece({ index: 0, function: { arguments: ':1}' } }),
      callStart(1, 'c2', 'done'),
      finish('tool_calls'),
    ];
    const events = eventsOf(streamText(chunks)).slice(2);
    expect(typesOf(events)).toEqual([
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    expect(events[0]!.item).toMatchObject({ type: 'function_call', call_id: 'c1', name: 'find', arguments: '' });
    expect(events[3]).toMatchObject({ item_id: events[0]!.item!.id, output_index: 0, arguments: '{"a":1}' });
    // The model wrote no arguments: they are JSON all the same.
    expect(events[6]).toMatchObject({ output_index: 1, delta: '{}' });
    expect(events[8]).toMatchObject({
      output_index: 1,
      item: { call_id: 'c2', name: 'done', status: 'completed', arguments: '{}' },
    });
  });

  test('of a custom tool have its input in pieces', () => {
    const chunks = [
      callPiece({ index: 0, id: 'c1', type: 'custom', custom: { name: 'shell', input: '' } }),
      callPiece({ index: 0, custom: { input: 'ls ' } }),
      callPiece({ index: 0, custom: { input: '-l' } }),
      finish('tool_calls'),
    ];
    const events = eventsOf(streamText(chunks)).slice(2);
    expect(typesOf(events)).toEqual([
      'output_item.added',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.done',
      'output_item.done',
      'completed',
    ]);
    expect(events[3]).toMatchObject({ item_id: events[0]!.item!.id, output_index: 0, input: 'ls -l' });
    const item = { type: 'custom_tool_call', call_id: 'c1', name: 'shell', input: 'ls -l', status: 'completed' };
    expect(events[5]!.response!.output).toMatchObject([item]);
  });

  test('separate calls to which an upstream gives the same index', () => {
    const events = eventsOf(streamText([callStart(0, 'c1', 'find', '{}'), callStart(0, 'c2', 'find', '[]')]));
    expect(events.at(-1)!.response!.output).toMatchObject([
      { call_id: 'c1', arguments: '{}' },
      { call_id: 'c2', arguments: '[]' },
    ]);
  });

  test('of reasoning form their own item before the answer', () => {
    for (const name of ['reasoning_content', 'reasoning']) {
      const events = eventsOf(streamText([delta({ [name]: 'Hm' }), delta({ [name]: '.' }), text('Yes')]));
      expect(typesOf(events).slice(2, 9)).toEqual([
        'output_item.added',
        'content_part.added',
        'reasoning_text.delta',
        'reasoning_text.delta',
        'reasoning_text.done',
        'content_part.done',
        'output_item.done',
      ]);
      expect(events.at(-1)!.response!.output).toMatchObject([
        { type: 'reasoning', status: 'completed', content: [{ type: 'reasoning_text', text: 'Hm.' }] },
        { type: 'message', content: [{ text: 'Yes' }] },
      ]);
    }
  });

  test('of a refusal after a text form a second part', () => {
    const events = eventsOf(streamText([text('Well'), delta({ refusal: 'No' }), delta({ refusal: '.' })])).slice(5);
    expect(typesOf(events)).toEqual([
      'output_text.done',
      'content_part.done',
      'content_part.added',
      'refusal.delta',
      'refusal.delta',
      'refusal.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(events[5]).toMatchObject({ content_index: 1, refusal: 'No.' });
  });

  test('have log probabilities in each piece, and all of them at the end', () => {
    const logprobs = (token: string) => ({
      logprobs: { content: [{ token, logprob: -1, bytes: [1], top_logprobs: [] }] },
    });
    const events = eventsOf(
      streamText([delta({ content: 'a' }, logprobs('a')), delta({ content: 'b' }, logprobs('b'))]),
    );
    expect(events.find(({ type }) => type.endsWith('text.delta'))).toMatchObject({ logprobs: [{ token: 'a' }] });
    expect(events.find(({ type }) => type.endsWith('text.done'))).toMatchObject({
      logprobs: [{ token: 'a' }, { token: 'b' }],
    });
  });

  test('of an empty answer have an empty text', () => {
    const events = eventsOf(streamText([finish('stop')]));
    expect(events.at(-1)!.response!.output).toMatchObject([{ content: [{ type: 'output_text', text: '' }] }]);
  });
});

describe('the end of a response stream', () => {
  test('is the whole response with its usage', () => {
    const { response, type } = eventsOf(streamText([text('Hi'), finish('stop')])).at(-1)!;
    expect(type).toBe('response.completed');
    expect(response).toMatchObject({ id: 'resp_1', model: 'swift', status: 'completed', usage: { total_tokens: 9 } });
  });

  test.each([
    ['the upstream stopped at its limit', [text('Hi'), finish('length')], false],
    ['it was cut short', [text('Hi')], true],
  ])('is incomplete when %s', (_name, chunks, cutShort) => {
    const last = eventsOf(streamText(chunks, { cutShort })).slice(-2);
    expect(typesOf(last)).toEqual(['output_item.done', 'incomplete']);
    expect(last[0]!.item!.status).toBe('incomplete');
    expect(last[1]!.response).toMatchObject({ incomplete_details: { reason: 'max_output_tokens' } });
  });

  test('is response.failed after a break, with the error and the output so far', () => {
    const presenter = createResponsesPresenter(answer);
    presenter.start();
    presenter.push([text('Hi')]);
    const error = { message: 'The model failed.', type: 'api_error', param: null, code: 'provider_failed' } as const;
    expect(eventsOf(presenter.fail(error)).at(-1)).toMatchObject({
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'server_error', message: 'The model failed.' },
        output: [{ status: 'incomplete', content: [{ text: 'Hi' }] }],
        usage: null,
      },
    });
  });

  test('is an upstream failure when the upstream returns to an earlier call', () => {
    const presenter = createResponsesPresenter(answer);
    presenter.push([callStart(0, 'c1'), callStart(1, 'c2')]);
    expect(() => presenter.push([callPiece({ index: 0, function: { arguments: 'x' } })])).toThrow(
      'The upstream sent a piece of a tool call that is not open.',
    );
  });
});

test('the official client parses the stream into the same response as a whole answer', async () => {
  const chunks = [
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'Hm.' }),
    text('Looking'),
    text('.'),
    callStart(0, 'c1', 'find', '{"a"'),
    callPiece({ index: 0, function: { arguments: ':1}' } }),
    finish('tool_calls'),
  ];
  const body = new Response(streamText(chunks), { headers: { 'content-type': 'text/event-stream' } });
  const client = new OpenAI({ apiKey: 'k', fetch: () => Promise.resolve(body) });
  const read = await client.responses.stream({ model: 'swift', input: 'Hello' }).finalResponse();
  const message = {
    reasoning_content: 'Hm.',
    content: 'Looking.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a":1}' } }],
  };
  const whole = presentResponse(
    { choices: [{ message, finish_reason: 'tool_calls' }] },
    { ...answer, usage: ended.usage },
  );
  expect(read.output_text).toBe('Looking.');
  expect(read).toMatchObject(withoutIds(whole));
});

/** The ids of items are random, and a second may begin between two answers. */
function withoutIds({ completed_at: _at, ...response }: ReturnType<typeof presentResponse>) {
  return { ...response, output: response.output.map(({ id: _id, ...item }) => item) };
}

test('a response stream is the same however its chunks were grouped', () => {
  const piece = fc.oneof(
    fc.string().map(text),
    fc.string().map((reasoning_content) => delta({ reasoning_content })),
    fc.string().map((refusal) => delta({ refusal })),
    fc.tuple(fc.nat(3), fc.string(), fc.string()).map(([index, id, args]) => callStart(index, id, 'find', args)),
  );
  fc.assert(
    fc.property(fc.array(fc.array(piece)), (groups) => {
      const whole = eventsOf(streamText(groups.flat()));
      const presenter = createResponsesPresenter(answer);
      const sent = presenter.start() + groups.map((group) => presenter.push(group)).join('') + presenter.end(ended);
      expect(eventsOf(sent).map(withoutRandom)).toEqual(whole.map(withoutRandom));
      expect(itemsAreWhole(whole)).toBe(true);
    }),
  );
});

/** An event without the members that differ between any two streams. */
function withoutRandom(event: Event): string {
  return JSON.stringify(event)
    .replaceAll(/"(msg|fc|rs|call)_\w{22}"/g, '""')
    .replace(/"completed_at":\d+/, '"completed_at":0');
}

/** Every item is added, then done, before the next is added. */
function itemsAreWhole(events: Event[]): boolean {
  const moves = events.filter(({ type }) => type.startsWith('response.output_item.'));
  return moves.every(({ type, item }, index) =>
    index % 2 === 0
      ? type === 'response.output_item.added'
      : type === 'response.output_item.done' && item!.id === moves[index - 1]!.item!.id,
  );
}
