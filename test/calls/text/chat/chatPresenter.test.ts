import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { createChatPresenter } from '../../../../calls/text/chat/chat.ts';
import type { Json } from '../../../../providers/provider.ts';
import { readFrames, readJson } from '../../../support/streams.ts';

const answer = { id: 'chatcmpl-1', created: 1700000000, modelId: 'swift', choices: 1, includeUsage: false };
const ended = { usage: { inputTokens: 7, outputTokens: 3 }, cutShort: false };

const chunk = (choice: Json, rest: Json = {}): Json => ({ id: 'up', model: 'upstream', choices: [choice], ...rest });
const text = (content: string, index = 0): Json => chunk({ index, delta: { content }, finish_reason: null });
const stop = (index = 0): Json => chunk({ index, delta: {}, finish_reason: 'stop' });

/** The whole stream of one answer, and its chunks parsed. */
function stream(chunks: Json[], more: Partial<typeof answer> = {}, end: Partial<typeof ended> = {}) {
  const presenter = createChatPresenter({ ...answer, ...more });
  const sent = presenter.start() + presenter.push(chunks) + presenter.end({ ...ended, ...end });
  return { sent, chunks: readJson<ChatCompletionChunk>(sent) };
}

describe('a chat stream', () => {
  test('ends with [DONE] and has no event names', () => {
    const frames = readFrames(stream([text('Hi'), stop()]).sent);
    expect(frames.at(-1)).toEqual({ event: null, data: '[DONE]' });
    expect(frames.map(({ event }) => event)).toEqual([null, null, null]);
  });

  test("has one id, object, time and model: the platform's own", () => {
    const { chunks } = stream([text('Hi'), text(' you'), stop()]);
    expect(chunks).toHaveLength(3);
    for (const sent of chunks) {
      expect(sent).toMatchObject({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1700000000 });
      expect(sent.model).toBe('swift');
    }
  });

  test.each(['tool_calls', 'stop'])('has the arguments {} of a call that ends with %s and without any', (reason) => {
    const call = (index: number, more: Json) => chunk({ index: 0, delta: { tool_calls: [{ index, ...more }] } });
    const begins = (id: string, args: object = {}) => ({ id, type: 'function', function: { name: 'f', ...args } });
    const { chunks } = stream([
      call(0, begins('a', { arguments: '' })),
      call(1, begins('b')),
      call(2, begins('c', { arguments: '' })),
      call(2, { function: { arguments: '{"x":1}' } }),
      call(3, { id: 'd', type: 'custom', custom: { name: 'g', input: '' } }),
      chunk({ index: 0, delta: {}, finish_reason: reason }),
    ]);
    const args = ['', '', '', ''];
    for (const { choices } of chunks)
      for (const one of choices[0]!.delta.tool_calls ?? []) args[one.index]! += one.function?.arguments ?? '';
    expect(args).toEqual(['{}', '{}', '{"x":1}', '']);
  });

  test('keeps arguments that were cut short before their first character', () => {
    const begun = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } };
    const sent = [chunk({ index: 0, delta: { tool_calls: [begun] } })];
    for (const end of [chunk({ index: 0, delta: {}, finish_reason: 'length' }), undefined])
      expect(stream([...sent, ...(end ? [end] : [])], {}, { cutShort: !end }).sent).not.toContain('"arguments":"{}"');
  });

  test('has the role only in the first chunk of each choice, whether the upstream repeats or omits it', () => {
    const repeated = (index: number) => chunk({ index, delta: { role: 'assistant', content: 'a' } });
    const { chunks } = stream([repeated(0), text('b', 1), repeated(0), text('c', 1)], { choices: 2 });
    const roles = chunks.map(({ choices }) => [choices[0]!.index, choices[0]!.delta.role]);
    expect(roles.slice(0, 4)).toEqual([
      [0, 'assistant'],
      [1, 'assistant'],
      [0, undefined],
      [1, undefined],
    ]);
  });

  test('has finish_reason null until the last chunk of a choice, and nothing of that choice afterwards', () => {
    const { chunks } = stream([text('a'), text('b', 1), stop(), text('late'), stop(1)], { choices: 2 });
    expect(chunks.map(({ choices }) => [choices[0]!.index, choices[0]!.finish_reason])).toEqual([
      [0, null],
      [1, null],
      [0, 'stop'],
      [1, 'stop'],
    ]);
  });

  test.each([
    ['have no numbers', undefined],
    ['all have the number 0', 0],
  ])('numbers its tool calls in order where they %s, and keeps their pieces together', (_, index) => {
    const piece = (members: object) => chunk({ index: 0, delta: { tool_calls: [{ index, ...members }] } });
    const begin = (id: string) => piece({ id, type: 'function', function: { name: 'f', arguments: '' } });
    const go = (text: string) => piece({ function: { arguments: text } });
    const { chunks } = stream([begin('a'), go('{'), go('}'), begin('b'), go('['), go(']'), stop()]);
    const calls = chunks.flatMap(({ choices }) => choices[0]!.delta.tool_calls ?? []);
    expect(calls.map((call) => [call.index, call.id ?? call.function!.arguments])).toEqual([
      [0, 'a'],
      [0, '{'],
      [0, '}'],
      [1, 'b'],
      [1, '['],
      [1, ']'],
    ]);
  });

  test('numbers calls that come whole, alike, without numbers and ids', () => {
    const called = { function: { name: 'f', arguments: '{}' }, id: '', type: 'function' };
    const { chunks } = stream([1, 2, 3].map(() => chunk({ index: 0, delta: { tool_calls: [called] } })));
    const calls = chunks.flatMap(({ choices }) => choices[0]!.delta.tool_calls ?? []);
    expect(calls.map((call) => call.index)).toEqual([0, 1, 2]);
  });

  test("keeps the upstream's moderation result, also in a chunk without choices", () => {
    const moderation = { input: { type: 'error' }, output: { type: 'error' } };
    const { chunks } = stream([text('Hi'), stop(), { choices: [], moderation }]);
    expect(chunks.map((sent) => [sent.choices.length, sent.moderation])).toEqual([
      [1, undefined],
      [1, undefined],
      [0, moderation],
    ]);
  });

  test("shows the billed counts in its usage, beside the upstream's further details", () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, completion_tokens_details: { audio_tokens: 2 } };
    const { chunks } = stream([text('Hi'), stop(), { choices: [], usage }], { includeUsage: true });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 3, completion_tokens_details: { audio_tokens: 2 } },
    });
  });

  test("has the upstream's fingerprint and tier in the chunk of the usage too", () => {
    const origin = { system_fingerprint: 'fp_1', service_tier: 'default' };
    const { chunks } = stream([{ ...text('Hi'), ...origin }, stop(), { choices: [], usage: {} }], {
      includeUsage: true,
    });
    expect(chunks.at(-1)).toMatchObject({ choices: [], ...origin });
    expect(stream([text('Hi'), stop()], { includeUsage: true }).sent).not.toContain('fingerprint');
  });

  test('drops chunks that contain only usage', () => {
    const usage = { prompt_tokens: 7, completion_tokens: 1 };
    const counting = chunk({ index: 0, delta: {}, finish_reason: null }, { usage });
    const scored = chunk({ index: 0, delta: {}, logprobs: { content: [], refusal: null }, finish_reason: null });
    const { chunks } = stream([counting, counting, text('Hi'), counting, scored, stop()]);
    expect(chunks.map(({ choices }) => choices[0]!.delta)).toEqual([{ role: 'assistant' }, { content: 'Hi' }, {}, {}]);
    expect(chunks.map(({ choices }) => choices[0]!.finish_reason)).toEqual([null, null, null, 'stop']);
  });

  test('forwards tool calls, reasoning, refusals and log probabilities', () => {
    const piece = { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } }] };
    const logprobs = { content: [{ token: 'x', logprob: -1, bytes: null, top_logprobs: [] }], refusal: null };
    const deltas = [{ reasoning_content: 'Hm.' }, piece, { refusal: 'No.' }];
    const { chunks } = stream(deltas.map((delta) => chunk({ index: 0, delta, logprobs })));
    expect(chunks[0]!.choices[0]!.delta).toEqual({ role: 'assistant', ...deltas[0] });
    expect(chunks.slice(1, 3).map(({ choices }) => choices[0]!.delta)).toEqual(deltas.slice(1));
    expect(chunks[0]!.choices[0]!.logprobs).toEqual(logprobs);
  });

  test('keeps the fingerprint and service tier, and no other member of the upstream', () => {
    const { chunks } = stream([
      chunk({ delta: {} }, { system_fingerprint: 'fp', service_tier: 'default', timings: 1 }),
    ]);
    expect(chunks[0]).toMatchObject({ system_fingerprint: 'fp', service_tier: 'default' });
    expect(chunks[0]).not.toHaveProperty('timings');
  });

  test('shows no usage by default', () => {
    const { sent } = stream([text('Hi'), stop(), { choices: [], usage: { prompt_tokens: 1 } }]);
    expect(sent).not.toContain('usage');
  });

  test('with usage requested has usage null in every chunk, and a last chunk without choices that has it', () => {
    const { chunks } = stream([text('Hi'), stop(), { choices: [], usage: { prompt_tokens: 1 } }], {
      includeUsage: true,
    });
    expect(chunks.map(({ usage }) => usage?.total_tokens ?? null)).toEqual([null, null, 10]);
    expect(chunks.every((sent) => 'usage' in sent)).toBe(true);
    expect(chunks.at(-1)!.choices).toEqual([]);
  });

  test('that is cut short ends every unfinished choice with length, including those not begun', () => {
    const { chunks } = stream([text('a'), text('b', 1), stop(1)], { choices: 3 }, { cutShort: true });
    const last = chunks.slice(3).map(({ choices }) => choices[0]!);
    expect(last).toEqual([
      { index: 0, delta: {}, logprobs: null, finish_reason: 'length' },
      { index: 2, delta: { role: 'assistant' }, logprobs: null, finish_reason: 'length' },
    ]);
  });

  test('without a finish reason from the upstream still has one', () => {
    const { chunks } = stream([text('a')]);
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('stop');
  });

  test('that breaks sends an error frame and ends', () => {
    const error = { message: 'The model failed.', type: 'api_error', param: null, code: 'provider_failed' } as const;
    const frames = readFrames(createChatPresenter(answer).fail(error));
    expect(frames).toEqual([
      { event: null, data: JSON.stringify({ error }) },
      { event: 'error', data: JSON.stringify({ error }) },
      { event: null, data: '[DONE]' },
    ]);
  });

  test('is parsed by the official client into the message that the upstream sent', async () => {
    const piece = (more: Json) => chunk({ index: 0, delta: { tool_calls: [{ index: 0, ...more }] } });
    const { sent } = stream([
      text('Look'),
      text('ing.'),
      piece({ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a"' } }),
      piece({ function: { arguments: ':1}' } }),
      chunk({ index: 0, delta: {}, finish_reason: 'tool_calls' }),
    ]);
    const body = new Response(sent, { headers: { 'content-type': 'text/event-stream' } });
    const client = new OpenAI({ apiKey: 'k', fetch: () => Promise.resolve(body) });
    const read = await client.chat.completions.stream({ model: 'swift', messages: [] }).finalChatCompletion();
    expect(read.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a":1}' } }],
      },
    });
  });

  test('is the same however its chunks were grouped', () => {
    const choice = fc.record({
      index: fc.integer({ min: 0, max: 2 }),
      delta: fc.record({ content: fc.string(), role: fc.constant('assistant') }, { requiredKeys: [] }),
      finish_reason: fc.option(fc.constant('stop'), { freq: 8, nil: null }),
    });
    const reads = fc.array(fc.array(fc.array(choice, { maxLength: 2 }).map((choices) => ({ choices }))));
    fc.assert(
      fc.property(reads, (groups) => {
        const one = createChatPresenter({ ...answer, choices: 3 });
        const many = createChatPresenter({ ...answer, choices: 3 });
        const whole = one.push(groups.flat()) + one.end(ended);
        expect(groups.map((group) => many.push(group)).join('') + many.end(ended)).toBe(whole);
        expect(() => readJson(whole)).not.toThrow();
      }),
    );
  });
});
