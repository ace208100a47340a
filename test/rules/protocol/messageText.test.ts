import { expect, test } from '@jest/globals';
import { textOf } from '../../../rules/protocol/messageText.ts';
import { ChatInput, parseInput } from '../../../rules/protocol/schema.ts';

const textsOf = (content: unknown[]): string[] =>
  parseInput(ChatInput, { model: 'm', messages: [{ role: 'assistant', content }] }).messages.map(textOf);

test('a part of a message may state members of other kinds as null, as OpenAI’s agents send earlier answers', () => {
  expect(textsOf([{ type: 'text', text: 'Hello.', role: 'assistant', refusal: null }])).toEqual(['Hello.']);
  expect(textsOf([{ type: 'refusal', refusal: 'No.', text: null }])).toEqual(['No.']);
});

test('a part without its own text is refused by name', () => {
  const unreadable = expect.objectContaining({ status: 400, param: 'messages[0].content[0].type' });
  for (const part of [{ type: 'text', text: null }, { type: 'refusal' }, { type: 'image_url', text: 'x' }]) {
    expect(() => textsOf([part])).toThrow(unreadable);
  }
});
