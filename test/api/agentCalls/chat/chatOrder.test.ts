import { describe, expect, test } from '@jest/globals';
import { orderOfChat, type AgentRequest } from '../../../../api/agentCalls/chat/chatOrder.ts';
import { agentRequestOf } from '../../../../api/agentCalls/chat/agentForms.ts';
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
