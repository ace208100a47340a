import { describe, expect, test } from '@jest/globals';
import { orderOfChat, type AgentRequest } from '../../../../api/agentCalls/chat/chatOrder.ts';
import type { AgentConfiguration } from '../../../../db/agents/configuration.ts';

const messages = [{ role: 'user', content: 'Hello.' }];

/** The order of a chat with these members. */
function orderOf(members: object) {
  const parsed = { model: 'acme/guide', body: { messages } } as unknown as AgentRequest['parsed'];
  const request = { parsed, sent: { messages, ...members }, place: 'messages', metadata: {} } as const;
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
