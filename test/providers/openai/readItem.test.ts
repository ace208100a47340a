import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createChatAnswer } from '../../../activities/run/chatAnswer.ts';
import { createChatPresenter, presentChat } from '../../../calls/text/chat/chat.ts';
import { createCompletionsPresenter, presentCompletion } from '../../../calls/text/chat/completions.ts';
import { presentResponse } from '../../../calls/text/responses/presentResponse.ts';
import { createResponsesPresenter } from '../../../calls/text/responses/responsesPresenter.ts';
import { parseResponses } from '../../../calls/text/responses/responsesRequest.ts';
import { producedTextOf } from '../../../providers/metering/producedText.ts';
import { readUsage } from '../../../providers/metering/readUsage.ts';
import { readItem, readVectors } from '../../../providers/openai/readItem.ts';
import { ProviderError, type Json } from '../../../providers/provider.ts';

const chunkOf = (choice: unknown): Json => ({ choices: [choice] });
const callOf = (call: unknown) => chunkOf({ delta: { tool_calls: [call] } });

test.each([
  ['stop', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['model_length', 'length'],
  ['insufficient_system_resource', 'length'],
  ['tool_use', 'tool_calls'],
  ['SAFETY', 'content_filter'],
  ['constructor', 'stop'],
  ['', null],
])('an end for the reason %j of an upstream has the reason %j for clients', (sent, reason) => {
  const [choice] = readItem(chunkOf({ index: 0, delta: {}, finish_reason: sent })).choices as Json[];
  expect(choice!.finish_reason).toBe(reason);
});

describe('an invalid item of an upstream is refused by the name of the fault:', () => {
  test.each([
    ['choices', { choices: 'none' }],
    ['choices[]', chunkOf(null)],
    ['choices[].index', chunkOf({ index: -1 })],
    ['choices[].index', chunkOf({ index: '0' })],
    ['choices[].finish_reason', chunkOf({ finish_reason: 7 })],
    ['choices[].delta', chunkOf({ delta: 'Hi' })],
    ['choices[].delta.content', chunkOf({ delta: { content: { text: 'Hi' } } })],
    ['choices[].delta.tool_calls', chunkOf({ delta: { tool_calls: {} } })],
    ['choices[].delta.tool_calls[]', callOf(null)],
    ['choices[].delta.tool_calls[].index', callOf({ index: '__proto__' })],
    ['choices[].delta.tool_calls[].index', callOf({ index: -1 })],
    ['choices[].delta.tool_calls[].index', callOf({ index: 2 ** 32 })],
    ['choices[].delta.tool_calls[].function', callOf({ index: 0, function: 'f' })],
    ['choices[].delta.tool_calls[].function.arguments', callOf({ index: 0, function: { arguments: {} } })],
    ['choices[].message.tool_calls[]', chunkOf({ message: { tool_calls: [{ id: 'c' }] } })],
    ['choices[].logprobs.content', chunkOf({ logprobs: { content: [null] } })],
  ])('%s', (place, item) => {
    expect(() => readItem(item)).toThrow(new ProviderError('failed', `the upstream sent a wrong ${place}`));
  });

  test.each([[[null]], [[{ embedding: null }]], [[{ embedding: [1, 'a'] }]], [[{ embedding: [], index: '0' }]]])(
    'vectors %j',
    (data) => {
      expect(() => readVectors(data)).toThrow(ProviderError);
    },
  );
});

test('null counts as absent', () => {
  const call = { index: null, id: null, type: null, function: { name: null, arguments: null } };
  const nothing = { content: null, refusal: null, reasoning: null, tool_calls: null };
  for (const item of [
    { choices: null },
    chunkOf({ index: null, delta: null, message: null, logprobs: null, finish_reason: null }),
    chunkOf({ delta: nothing, logprobs: { content: null } }),
    callOf(call),
  ])
    expect(readItem(item)).toBe(item);
});

const odd = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', -1, 0, 1, 2, 2 ** 40, 0.5, '', 'stop', null, [], {}, [null], true),
  fc.jsonValue(),
);
const maybe = (model: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof({ weight: 6, arbitrary: fc.record(model, { requiredKeys: [] }) }, { weight: 1, arbitrary: odd });
const listOf = (of: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: fc.array(of, { maxLength: 3 }) }, { weight: 1, arbitrary: odd });
const called = maybe({ name: fc.oneof(fc.constant('f'), odd), arguments: odd, input: odd });
const call = maybe({ index: odd, id: odd, type: odd, function: called, custom: called });
const said = maybe({
  content: odd,
  refusal: odd,
  reasoning: odd,
  reasoning_content: odd,
  tool_calls: listOf(call),
  ['__proto__']: odd,
});
const logprobs = maybe({ content: listOf(maybe({ token: odd, bytes: odd, top_logprobs: listOf(odd) })) });
const choice = maybe({ index: odd, delta: said, message: said, text: odd, finish_reason: odd, logprobs });
const usage = maybe({ prompt_tokens: odd, completion_tokens: odd, total_tokens: odd, prompt_tokens_details: odd });
const item = fc.record({ choices: listOf(choice), usage, service_tier: odd }, { requiredKeys: [] });

test("any answer of an upstream is either read or refused as the upstream's fault", () => {
  const answer = { id: 'a', created: 1, modelId: 'm', choices: 2, includeUsage: true };
  const { echo } = parseResponses({ model: 'm', input: 'Hi' });
  const used = { inputTokens: 1, outputTokens: 1 };
  const ours = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
    }
  };
  const before =
    Object.getOwnPropertyNames(Object.prototype).length + Object.getOwnPropertyNames(Array.prototype).length;
  fc.assert(
    fc.property(fc.array(item, { maxLength: 3 }), (sent) => {
      const items = JSON.parse(JSON.stringify(sent)) as Json[];
      ours(() => items.forEach(readItem));
      const read = items.filter((one) => {
        try {
          return readItem(one);
        } catch {
          return false;
        }
      });
      const presenters = [
        createChatPresenter(answer),
        createCompletionsPresenter(answer),
        createResponsesPresenter({ ...answer, echo }),
      ];
      for (const presenter of presenters) {
        ours(() => {
          presenter.push(read);
          presenter.end({ usage: used, cutShort: false });
        });
      }
      const run = createChatAnswer();
      run.push(read);
      expect(typeof run.text()).toBe('string');
      expect(run.calls().every(({ name }) => typeof name === 'string')).toBe(true);
      for (const one of read) {
        presentChat(one, { ...answer, usage: used });
        presentCompletion(one, { ...answer, usage: used });
        ours(() => presentResponse(one, { ...answer, echo, usage: used }));
        for (const each of (one.choices ?? []) as unknown[]) expect(typeof producedTextOf(each)).toBe('string');
        readUsage(one.usage, { inputTokensMax: 9, outputTokensMax: 9 });
      }
    }),
    { numRuns: 2_000 },
  );
  const after =
    Object.getOwnPropertyNames(Object.prototype).length + Object.getOwnPropertyNames(Array.prototype).length;
  expect(after).toBe(before);
  expect(Object.keys([])).toEqual([]);
  expect(([] as unknown as { name?: string }).name).toBeUndefined();
});
