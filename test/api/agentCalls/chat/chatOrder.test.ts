import { describe, expect, test } from '@jest/globals';
import { orderOfChat, type AgentRequest } from '../../../../api/agentCalls/chat/chatOrder.ts';
import { agentRequestOf } from '../../../../api/agentCalls/chat/agentForms.ts';
import { parseChat } from '../../../../calls/text/chat/chatInput.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';
import type { AgentConfiguration } from '../../../../db/agents/configuration.ts';

const messages = [{ role: 'user', content: 'Hello.' }];

/** The order of a chat with these members. */
function orderOf(members: object, metadata: Record<string, string> = {}) {
  const parsed = { model: 'acme/guide', body: { messages } } as unknown as AgentRequest['parsed'];
  const request = { parsed, sent: { messages, ...members }, place: 'messages' as const, metadata };
  return orderOfChat(request, {} as AgentConfiguration).withFiles([]);
}

describe('the end user of a chat with an agent', () => {
  test.each([
    [{ user: 'customer-7' }, 'customer-7'],
    [{ safety_identifier: 'hash-7' }, 'hash-7'],
    [{ user: 'customer-7', safety_identifier: 'hash-7' }, 'customer-7'],
    [{ user: null }, undefined],
    [{ user: '' }, undefined],
    [{}, undefined],
  ])('of %j is %s', (members, user) => {
    expect(orderOf(members).user).toBe(user);
  });

  test('is refused by its own name when it is too long', () => {
    expect(() => orderOf({ user: 'x'.repeat(600) })).toThrow(/Invalid 'user'/);
  });
});

describe('what an agent would not carry out of a chat', () => {
  const refusalOf = (members: object) => {
    const parsed = parseChat({ model: 'acme/guide', messages, ...members });
    const request = { parsed, sent: parsed.body, place: 'messages' as const, metadata: {} };
    return () => orderOfChat(request, {} as AgentConfiguration);
  };
  const [message] = messages;

  test.each([
    [{ messages: [{ ...message, weight: 2 }] }, 'messages[0].weight'],
    [{ messages: [message, { role: 'assistant', content: 'A', prefix: true }, message] }, 'messages[1].prefix'],
    [
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', weight: 2 }] }] },
      'messages[0].content[0].weight',
    ],
    [{ temperature: 0.5 }, 'temperature'],
    [{ top_p: 0.9 }, 'top_p'],
    [{ stop: ['\n'] }, 'stop'],
    [{ max_tokens: 50 }, 'max_tokens'],
    [{ seed: 1 }, 'seed'],
    [{ reasoning_effort: 'low' }, 'reasoning_effort'],
    [{ logprobs: true }, 'logprobs'],
    [{ tool_choice: 'none' }, 'tool_choice'],
    [{ parallel_tool_calls: false }, 'parallel_tool_calls'],
    [{ logit_bias: { 5: 1 } }, 'logit_bias'],
  ])('is refused by name: %j', (members, param) => {
    expect(refusalOf(members)).toThrow(expect.objectContaining({ code: 'unsupported_parameter', param }));
  });

  test('is a temperature other than the one that the publisher has set', () => {
    const order = (temperature: number) => () => {
      const parsed = parseChat({ model: 'acme/guide', messages, temperature });
      const request = { parsed, sent: parsed.body, place: 'messages' as const, metadata: {} };
      orderOfChat(request, { temperature: 0.2 } as AgentConfiguration);
    };
    expect(order(0.2)).not.toThrow();
    expect(order(1)).toThrow(expect.objectContaining({ code: 'unsupported_parameter', param: 'temperature' }));
  });

  test('is not what marks a prompt for a cache', () => {
    const text = { type: 'text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } };
    expect(refusalOf({ messages: [{ role: 'user', content: [text] }] })).not.toThrow();
  });

  test('is not asked for by log probabilities that are off', () => {
    expect(refusalOf({ logprobs: false, top_logprobs: 0 })).not.toThrow();
  });

  test('is a call of a tool in the older form', () => {
    const called = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } };
    expect(refusalOf({ messages: [message, called, message] })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'messages[1].function_call' }),
    );
  });
});

test('a response may leave its verbosity and its reasoning to the agent, but not set them', () => {
  const order =
    (text: object, reasoning: object = {}) =>
    () =>
      orderOfChat(
        agentRequestOf(parseResponses({ model: 'a/b', input: 'Hi', text, reasoning })),
        {} as AgentConfiguration,
      );
  expect(order({ verbosity: 'low' })).toThrow(expect.objectContaining({ param: 'text.verbosity' }));
  expect(order({ verbosity: 'medium', format: null }, { effort: null })).not.toThrow();
  expect(order({}, { effort: 'low' })).toThrow(expect.objectContaining({ param: 'reasoning' }));
  expect(order({ verbosity: null, format: { type: 'text' } })).not.toThrow();
});

test.each([
  { logprobs: false, top_logprobs: 0, presence_penalty: 0, frequency_penalty: 0, logit_bias: {} },
  { n: 1, tools: [], tool_choice: 'auto', parallel_tool_calls: true, service_tier: 'auto' },
  { temperature: 1, top_p: 1, stop: [], seed: null },
  { prompt_cache_key: 'k', prompt_cache_retention: '24h', prompt_cache_options: { mode: 'implicit' } },
])('a parameter that says what happens anyway is taken: %j', (members) => {
  expect(orderOf(members)).toMatchObject({ agent: 'acme/guide' });
});

test('a cost limit is a decimal number, or is refused by its own name', () => {
  expect(orderOf({}, { max_cost_usd: '0.50' }).max_cost_usd).toBe(0.5);
  for (const wrong of ['', '0x5', 'half'])
    expect(() => orderOf({}, { max_cost_usd: wrong })).toThrow(/metadata\.max_cost_usd/);
});

test('a conversation that ends with the result of a tool is refused, also when the result has files', () => {
  const call = { type: 'function_call', call_id: 'a', name: 'draw', arguments: '{}' };
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AA==' };
  for (const output of ['Drawn.', [image]]) {
    const input = [{ role: 'user', content: 'Draw.' }, call, { type: 'function_call_output', call_id: 'a', output }];
    const parsed = parseResponses({ model: 'acme/guide', input });
    const request = agentRequestOf(parsed);
    expect(() => orderOfChat(request, {} as AgentConfiguration)).toThrow('The last message must be the user’s.');
  }
});

test.each([
  ['https://a.example/b.png', 'input[2].output[0].image_url'],
  ['data:image/png;base64,AA==', 'input[3].content[0].image_url'],
])('a file of a response that no agent takes is named by its place: %s', (image_url, param) => {
  const image = { type: 'input_image', image_url };
  const other = { type: 'input_image', image_url: 'https://a.example/c.png' };
  const input = [
    { role: 'user', content: 'Draw.' },
    { type: 'function_call', call_id: 'a', name: 'draw', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: [image] },
    { role: 'user', content: [other] },
  ];
  const parsed = parseResponses({ model: 'acme/guide', instructions: 'Be brief.', input });
  const request = agentRequestOf(parsed);
  const refused = expect.objectContaining({ param, message: expect.stringContaining('no address is fetched') });
  expect(() => orderOfChat(request, {} as AgentConfiguration)).toThrow(refused);
});

test('the detail of a picture is refused by its place, and auto is taken', () => {
  const url = 'data:image/png;base64,AA==';
  const ofChat = (detail: unknown) => {
    const content = [{ type: 'image_url', image_url: { url, detail } }];
    const parsed = parseChat({ model: 'acme/guide', messages: [{ role: 'user', content }] });
    return { parsed, sent: parsed.body, place: 'messages' as const, metadata: {} };
  };
  const ofResponse = (detail: unknown) => {
    const content = [{ type: 'input_image', image_url: url, detail }];
    return agentRequestOf(parseResponses({ model: 'acme/guide', input: [{ role: 'user', content }] }));
  };
  const order = (request: AgentRequest) => orderOfChat(request, {} as AgentConfiguration).sent.length;
  const refusedAt = (param: string) => expect.objectContaining({ code: 'unsupported_parameter', param });
  expect(() => order(ofChat('low'))).toThrow(refusedAt('messages[0].content[0].image_url.detail'));
  expect(() => order(ofResponse('high'))).toThrow(refusedAt('input[0].content[0].detail'));
  for (const detail of ['auto', null]) expect([order(ofChat(detail)), order(ofResponse(detail))]).toEqual([1, 1]);
});
